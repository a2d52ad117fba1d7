package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/serve"
	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/app/tokens"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// The values of --auth.
const (
	authToken = "token"
	authNone  = "none"
)

// serveOptions say where to listen, and for whom.
type serveOptions struct {
	agent    agentOptions
	journal  journalOptions
	store    storeOptions
	sessions int
	conns    int
	auth     string
	qr       bool
	once     *tokens.Once  // nil without --qr, or where no token is wanted
	known    *tokens.Known // nil where no token is wanted
	config   serve.Config
}

func newServe(log *logOptions) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve [flags] [-- COMMAND [ARG...]]",
		Short: "Keep sessions running for front ends that come and go",
		Long: `Own sessions and their agents, for front ends that come and go: an editor with
"turnwire acp --server", a terminal with "turnwire attach", other machines. A
front end that goes away ends nothing. When it is back, session/load shows it
what was said, and the turn as it goes on. Several may be on one session: all
see the same, and the first answer to a question counts.

It listens on a Unix socket that only you can open, on Windows on a named pipe, and
speaks the remote transport of the Agent Client Protocol there, by a WebSocket at
/acp. With --listen other machines reach it, by a WebSocket, or by HTTP with
server-sent events; then there is a socket only with --socket. Where it listens is
said on stderr. Without --agent and COMMAND every named agent is served, at
/acp/NAME.

There is a page at / of the address, with which a browser is a front end, also
that of a phone; --qr shows its URL as a code that logs one in.

An address that only this machine can reach is served as it is; with --auth
token only to those who have a token, which "turnwire token create" makes. All
other addresses need tokens and TLS. --insecure serves them without what is left
out.

Clients call the server by an address, by localhost, by the name in --listen, by
a name in its certificate, or by one of --allow-host. Web pages reach it if it
serves them itself, or --allow-origin names them.

With --store several servers share the sessions that NATS JetStream keeps: any of
them goes on with the sessions of one that died.

VS Code's own chat, and other clients of the Agent Host Protocol, reach all agents
by a WebSocket at /ahp.

At /metrics it has metrics for Prometheus, for those who may connect. /healthz and
/readyz answer everybody. Where the OTEL_ variables name a collector, traces and
metrics are sent there, as those of "turnwire acp" are.

It ends with SIGTERM or SIGINT (exit code 0): turns are cancelled, and every
process that it started ends with it.`,
		Example: examples(
			"turnwire serve",
			"turnwire serve --listen localhost:7777 --agent ethos",
			"turnwire serve --listen :7777 --tls-cert cert.pem --tls-key key.pem -- python3 my_agent.py",
			"turnwire serve --listen :7777 --tls-cert cert.pem --tls-key key.pem --qr",
			"turnwire serve --listen localhost:7777 --auth token --allow-host agents.example.org -- ./agent",
			"turnwire serve --listen localhost:7777 --store nats://nats.example.org:4222 -- ./agent",
			"turnwire run --agent acp --url ws://localhost:7777/acp hello",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			switch {
			case len(before) > 0:
				return usagef("put -- before the command: turnwire serve -- %s", before[0])
			case dashed && len(after) == 0:
				return usagef("there is no command after --")
			case o.sessions < 1 || o.conns < 1:
				return usagef("--max-sessions and --max-connections must be at least 1")
			case o.auth != "" && o.auth != authToken && o.auth != authNone:
				return usagef("--auth %q: use token or none", o.auth)
			case o.store.url != "" && o.store.url != thisMachine && o.journal.off:
				return usagef("--store and --no-journal exclude each other")
			case o.store.replicas < 1:
				return usagef("--store-replicas must be at least 1")
			case o.qr && o.config.Listen == "":
				return usagef("--qr: give --listen as well: a page is served there")
			}
			return o.store.check()
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			_, o.agent.command, _ = splitAtDash(cmd, args)
			return o.run(cmd.Context(), *log, cmd.ErrOrStderr())
		},
	}
	o.add(cmd)
	return cmd
}

func (o *serveOptions) add(cmd *cobra.Command) {
	o.agent.addName(cmd)
	o.agent.addDialect(cmd)
	o.agent.addReplay(cmd)
	o.journal.add(cmd)
	o.store.add(cmd, "keep sessions")
	f := cmd.Flags()
	f.StringVar(&o.config.Socket, "socket", "", "listen on the Unix socket `PATH`; without --listen it is "+defaultSocketHelp)
	f.StringVar(&o.config.Listen, "listen", "", "listen at `ADDRESS`, a host and a port; without a host, at every address of this machine")
	f.StringVar(&o.config.TLSCert, "tls-cert", "", "serve TLS with the certificate in `FILE` (PEM); it is read again when it changes")
	f.StringVar(&o.config.TLSKey, "tls-key", "", "and with its key in `FILE`")
	f.StringVar(&o.auth, "auth", "", "who may connect, `WHO`: token, or none for everybody who can reach the address (the default where that is this machine alone)")
	f.StringArrayVar(&o.config.Hosts, "allow-host", nil, "clients may call the server `NAME`; may be repeated")
	f.StringArrayVar(&o.config.Origins, "allow-origin", nil, "web pages of `ORIGIN`, such as https://example.org, may connect; may be repeated")
	f.BoolVar(&o.config.Insecure, "insecure", false, "serve other machines without TLS where there is no certificate, and without tokens where --auth is none")
	f.BoolVar(&o.qr, "qr", false, "show the address of the page as a QR code, which logs one phone in")
	f.IntVar(&o.sessions, "max-sessions", core.DefaultMaxSessions, "how many sessions of an agent may be open at once")
	f.IntVar(&o.conns, "max-connections", 64, "how many connections there may be at once")
	_ = cmd.RegisterFlagCompletionFunc("auth", cobra.FixedCompletions([]string{authToken, authNone}, cobra.ShellCompDirectiveNoFileComp))
	f.IntVar(&o.store.replicas, "store-replicas", 1, "how many servers of a cluster of NATS keep each session, where the store is not there yet")
	for _, name := range []string{"store-replicas", "listen", "allow-host", "allow-origin", "max-sessions", "max-connections"} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// run serves until it is told to stop.
func (o *serveOptions) run(ctx context.Context, l logOptions, stderr io.Writer) (err error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	choice, err := o.agent.open(".") // what is wrong with it is said now
	if err != nil {
		return err
	}
	if _, err := o.agent.ownPolicy(); err != nil {
		return err
	}
	log, logFile, err := l.open()
	if err != nil {
		return err
	}
	defer func() { err = closeWith(logFile, err) }()
	measured, finish, err := openTelemetry(log, true)
	if err != nil {
		return err
	}
	defer finish()
	h := &hubs{options: o, log: log, measured: measured, all: make(map[string]*hub.Hub)}
	closeStore, err := h.openStore(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	if err := o.guard(log, stderr); err != nil {
		return err
	}
	collectEarly()
	if o.config.Listen == "" && o.config.Socket == "" {
		if o.config.Socket, err = defaultSocket(); err != nil {
			return err
		}
	}
	defer h.close()
	ctx, stopBy := context.WithCancelCause(ctx)
	defer stopBy(nil)
	o.config.Control = control.Handler(h.live, func() { stopBy(errToldToStop) })
	o.config.Metrics = measured
	o.config.Log = log
	o.config.Limits.Conns = o.conns
	o.config.Agent = h.agent
	host, err := o.host(h, choice.Key, log)
	if err != nil {
		return err
	}
	defer host.Close()
	o.config.AHP = h.host(host)
	o.config.Ready = func(urls []string) {
		fmt.Fprintf(stderr, "turnwire: serving %s at %s\n", choice.Key, strings.Join(urls, " and "))
		if o.qr {
			o.showCode(stderr, urls, log)
		}
	}
	if err := o.page(h, choice.Key, log); err != nil {
		return err
	}
	return o.config.Run(ctx)
}

// errToldToStop is why a server ends that "turnwire stop" has stopped.
var errToldToStop = errors.New("turnwire stop")

// guard says who may connect.
func (o *serveOptions) guard(log *slog.Logger, stderr io.Writer) error {
	if o.config.Listen == "" || o.auth == authNone || o.auth == "" && serve.Loopback(o.config.Listen) {
		return nil
	}
	store, err := tokenStore()
	if err != nil {
		return err
	}
	all, err := store.List()
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(stderr, "turnwire: nobody has a token yet: turnwire token create NAME makes one")
	}
	o.known = store.Known(log)
	o.config.Tokens = o.known
	return nil
}

// tokenStore is the store of this machine.
func tokenStore() (*tokens.Store, error) {
	folder, err := config.StateFolder()
	if err != nil {
		return nil, err
	}
	return tokens.Open(folder), nil
}
