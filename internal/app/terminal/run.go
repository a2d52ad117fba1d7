package terminal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// How many rows of a tool's output are shown. A terminal's user can look up the rest
// elsewhere, but a log has to suffice.
const (
	liveRows  = 12
	plainRows = 48
)

// Run runs one turn over stream, whose other end is an ACP agent, and closes stream. It
// returns the process's exit code and the error to print, if any. When ctx ends, Run
// cancels the turn and returns soon.
func Run(ctx context.Context, stream jsonrpc2.ObjectStream, opts Options) (int, error) {
	if opts.Width == nil {
		opts.Width = func() int { return 80 }
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	interrupts := opts.Interrupts
	if interrupts == nil {
		signals := make(chan os.Signal, 2)
		signal.Notify(signals, os.Interrupt)
		defer signal.Stop(signals)
		interrupts = signals
	}

	view, closeView, err := newView(&opts)
	if err != nil {
		_ = stream.Close()
		return ExitError, err
	}
	defer closeView()

	client := newClient(ctx, stream, opts.Log)
	defer client.close()
	var helpers sync.WaitGroup
	defer helpers.Wait()
	keysCtx, stopKeys := context.WithCancel(ctx)
	defer stopKeys()
	keys := make(chan key)
	if opts.interactive() {
		helpers.Go(func() {
			if err := readKeys(keysCtx, opts.Stdin, keys); err != nil && keysCtx.Err() == nil {
				opts.Log.Warn("keys cannot be read", "error", err)
			}
		})
	}
	go client.runTurn(opts)

	t := &turn{opts: &opts, client: client, view: view, interactive: opts.interactive(), calls: calls{}, answers: answers{left: opts.Answers}, result: report{Denials: []denial{}}}
	end, err := t.loop(ctx, keys, interrupts)
	switch {
	case errors.Is(err, errLeave) && opts.Follow != "":
		return ExitDone, nil
	case errors.Is(err, errLeave):
		end = &ended{stop: v1.StopCancelled}
	case err != nil:
		return ExitError, err
	}
	code, err := exitCode(end)
	if t.timedOut {
		code, err = ExitError, fmt.Errorf("the turn was cancelled: it took longer than %s", opts.Timeout)
	}
	if n := len(t.answers.left); n > 0 && err == nil {
		opts.Log.Info("not all answers were used", "count", n)
	}
	t.result.StopReason = end.stop
	if err != nil {
		t.result.Error = err.Error()
	}
	if err := view.end(&t.result); err != nil {
		return ExitError, err
	}
	return code, err
}

func exitCode(end *ended) (int, error) {
	var answer *AgentError
	switch {
	case errors.As(end.err, &answer) && answer.Code == codeRequestCancelled:
		return ExitCancelled, nil
	case end.err != nil:
		return ExitError, end.err
	case end.stop == v1.StopCancelled:
		return ExitCancelled, nil
	case end.stop == v1.StopEndTurn:
		return ExitDone, nil
	}
	return ExitStopped, nil
}

// newView takes over the terminal, if there is one, until the caller calls closeView.
func newView(opts *Options) (v view, closeView func(), err error) {
	if opts.JSON {
		return newJSONView(opts.Stdout, opts.Stderr), func() {}, nil
	}
	if opts.Quiet {
		painter := newPlainPainter(opts.Stdout, style{})
		return &quietView{transcript: newTranscript(style{}, painter, time.Now, plainRows), errOut: opts.Stderr}, func() { _ = painter.close() }, nil
	}
	st := style{colour: opts.Colour, live: opts.live()}
	if !st.live {
		painter := newPlainPainter(opts.Stdout, st)
		t := newTranscript(st, painter, time.Now, plainRows)
		t.follows = opts.Follow != ""
		return t, func() { _ = painter.close() }, nil
	}
	restore := func() {}
	if opts.Interactive {
		if restore, err = rawMode(opts.Stdin, opts.Stdout); err != nil {
			return nil, nil, err
		}
	}
	painter := newScrollback(opts.Stdout, st, opts.Width)
	painter.answer.rendered = !opts.Plain
	t := newTranscript(st, painter, time.Now, liveRows)
	t.follows, t.rendered = opts.Follow != "", !opts.Plain
	return t, func() {
		_ = painter.close()
		restore()
	}, nil
}
