package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/telemetry"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/durable"
)

// serverPatience is how long commands with one task try to reach a server that was lost.
const serverPatience = time.Minute

// serve serves the agent to a client. The sessions of our own server need no bridge here,
// unless something in this process has to see them: then lines are only forwarded.
func (o *agentOptions) serve(ctx context.Context, t *telemetry.Telemetry, choice agents.Choice, config core.Config, to acp.Config) error {
	if choice.Relayed != nil {
		choice.Relayed.Patience = o.patience
	}
	if !o.served || config.Judge != nil || config.Journal != nil {
		return serveMeasured(ctx, t, choice, config, to)
	}
	return forward(ctx, durable.Config{
		Config:   client.Config{URL: choice.Relayed.URL, Header: choice.Relayed.Header, Log: to.Log, Start: o.start},
		Patience: o.patience, Answer: true, Linger: o.patience == 0,
	}, to.In, to.Out, to.Log)
}

// forward forwards lines between a client and a server until one of them ends. The error
// says why the server can't be reached any more.
func forward(ctx context.Context, config durable.Config, in io.Reader, out io.WriteCloser, log *slog.Logger) error {
	conn, err := durable.Open(config)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	go func() {
		if _, err := io.Copy(conn, in); err != nil {
			log.Debug("the client's lines can't be forwarded any more", "error", err)
		}
		_ = conn.Close()
	}()
	if _, err := io.Copy(out, conn); err != nil {
		log.Info("the client no longer reads", "error", err)
	}
	_ = conn.Close()
	<-conn.Done()
	if c, ok := in.(io.Closer); ok {
		_ = c.Close() // ends the read of a pipe; stdin ends with the process
	}
	if config.Linger { // the client knows why
		return out.Close()
	}
	return errors.Join(conn.Err(), out.Close())
}
