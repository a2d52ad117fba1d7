package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/app/terminal"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

const (
	closeTimeout = 2 * time.Second
	// TurnTimeout is the default for [Options].Timeout.
	TurnTimeout = 3 * time.Minute
	// hintTimeout limits how long the turn may continue after the user was warned about
	// unrecognised lines. Such a turn seldom ends by itself.
	hintTimeout = 5 * time.Second
)

// turn runs one turn as an editor would: it launches this program, and talks to it over
// stdin and stdout.
func (x *examination) turn(ctx context.Context) {
	started := time.Now()
	reply, stop, err := x.runTurn(ctx)
	took := time.Since(started).Round(time.Millisecond)
	switch {
	case err != nil && reply.warned:
		x.report(Failed, "answer", err.Error(), x.checking())
	case err != nil:
		x.report(Failed, "answer", err.Error(), "To see details: turnwire run --log-file - --log-level debug hello"+flags(x.Args))
	case stop != v1.StopEndTurn:
		x.report(Failed, "answer", fmt.Sprintf("the turn ended with %s after %s", stop, took), "Check the agent's own output for the reason.")
	case reply.short() == "":
		x.report(Failed, "answer", fmt.Sprintf("the turn ended after %s without an answer", took), x.checking())
	default:
		x.report(OK, "answer", fmt.Sprintf("“%s” after %s", reply.short(), took), "")
	}
}

// checking returns advice on how to examine the agent more closely.
func (x *examination) checking() string {
	l := parseArgs(x.Args)
	if len(l.command) == 0 || l.agent != "" {
		return "To see details: turnwire run --log-file - --log-level debug hello" + flags(x.Args)
	}
	words := make([]string, 0, len(l.command))
	for _, word := range l.command {
		words = append(words, quoted(word))
	}
	return "To find the error: turnwire check -- " + strings.Join(words, " ")
}

// prompt returns the prompt for the agent. The embedded agent knows only commands.
func (x *examination) prompt() string {
	if l := parseArgs(x.Args); len(l.command) == 0 && (l.agent == "" || l.agent == embedded) {
		return "/say ready"
	}
	return "Answer with the one word “ready”, and do nothing else."
}

// runTurn runs the turn and returns the agent's answer.
func (x *examination) runTurn(ctx context.Context) (reply answer, stop v1.StopReason, err error) {
	dir, err := os.MkdirTemp("", "turnwire-doctor-")
	if err != nil {
		return reply, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program, err := child.Start(child.Spec{Args: slices.Concat([]string{x.Program}, x.launch()), Dir: dir, Stdin: true})
	if err != nil {
		return reply, "", err
	}
	defer program.Close()
	turn, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer time.AfterFunc(x.Timeout, func() { cancel(fmt.Errorf("the agent did not end the turn within %s", x.Timeout)) }).Stop()
	var hurry *time.Timer // set after a warning about unrecognised lines
	defer func() {
		if hurry != nil {
			hurry.Stop()
		}
	}()
	stream := protocol.NewStream(program.Stdout(), &untilEnd{program}, nil, slog.New(slog.DiscardHandler))
	stop, err = terminal.Probe(turn, stream, terminal.Options{Cwd: dir, Prompt: x.prompt()}, func(u v1.Update) {
		if reply.update(u) {
			x.tell(&reply)
		}
		if hurry != nil {
			hurry.Stop()
			hurry = nil
		}
		if reply.warned && reply.short() == "" {
			hurry = time.AfterFunc(hintTimeout, func() { cancel(errors.New("the agent's output could not be read, and the turn does not end")) })
		}
	})
	switch {
	case ctx.Err() != nil:
		err = errors.New("the check was stopped before the agent answered")
	case errors.Is(err, terminal.ErrClosed):
		err = fmt.Errorf("turnwire stopped (%s)", program.Wait())
		if tail := program.StderrTail(); tail != "" {
			err = fmt.Errorf("%w; last lines of stderr: %s", err, tail)
		}
	}
	return reply, stop, err
}

// tell reports a notice. It may be the reason why the turn doesn't end.
func (x *examination) tell(reply *answer) {
	if reply.warned {
		x.note(Warning, "notice", reply.notice, x.checking())
		return
	}
	x.note(Note, "notice", reply.notice, "")
}

// untilEnd is a program's stdin. Closing it gives the program time to exit.
type untilEnd struct{ program *child.Child }

func (u *untilEnd) Write(p []byte) (int, error) { return u.program.Stdin().Write(p) }

func (u *untilEnd) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	u.program.Stop(ctx)
	return nil
}

// launch returns the arguments that launch this program without saving a session, because
// the user didn't start this turn. A server saves it anyway.
func (x *examination) launch() []string {
	if len(x.Args) == 0 || x.Args[0] != "acp" || x.Server != nil {
		return x.Args
	}
	return slices.Concat(x.Args[:1], []string{"--no-journal"}, x.Args[1:])
}
