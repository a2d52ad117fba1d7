package idle_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/idle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// puppet is an agent and its only session, controlled by the test. It records
// the calls that it receives.
type puppet struct {
	events  chan agent.Batch
	refuses error

	mu       sync.Mutex
	commands []string
}

func (p *puppet) emit(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commands = append(p.commands, fmt.Sprintf(format, args...))
}

func (p *puppet) Info() agent.Info { return agent.Info{Name: "puppet"} }

func (p *puppet) Open(context.Context, agent.Options) (agent.Session, error) {
	return p, p.refuses
}

func (p *puppet) Events() <-chan agent.Batch { return p.events }

func (p *puppet) Prompt(r agent.Prompt) error {
	p.emit("prompt %s", r.TurnID)
	return p.refuses
}

func (p *puppet) Options() []agent.Option { return nil }

func (p *puppet) Configure(o agent.SetOption) error {
	p.emit("set %s %s", o.OptionID, o.Value)
	return p.refuses
}

func (p *puppet) Confirm(r agent.ConfirmationResponse) { p.emit("confirm %s", r.ToolCallID) }
func (p *puppet) Answer(r agent.QuestionResponse)      { p.emit("answer %s", r.QuestionID) }
func (p *puppet) Cancel(c agent.Cancel)                { p.emit("cancel %s %s", c.SessionID, c.TurnID) }
func (p *puppet) Abandon(turnID string)                { p.emit("abandon %s", turnID) }

func (p *puppet) Close(context.Context) error {
	close(p.events)
	return nil
}

// A stage is a watched puppet, with the start time of a turn.
type stage struct {
	*testing.T
	puppet *puppet
	agent.Session
	began time.Time
}

// play runs a test in a synctest bubble in which a turn has started.
func play(t *testing.T, l idle.Limits, f func(s *stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{events: make(chan agent.Batch)}
		w, err := idle.New(p, l).Open(t.Context(), agent.Options{})
		require.NoError(t, err)
		s := &stage{t, p, w, time.Now()}
		s.prompt("t1")
		defer func() {
			require.NoError(t, w.Close(context.Background()))
			_, open := <-w.Events()
			require.False(t, open)
		}()
		f(s)
	})
}

func (s *stage) prompt(id string) {
	s.Helper()
	require.NoError(s, s.Prompt(agent.Prompt{SessionID: "s1", TurnID: id}))
}

// after emits e after a delay.
func (s *stage) after(d time.Duration, e agent.Event) {
	go func() {
		<-time.After(d)
		s.puppet.events <- agent.One{Event: e}
	}()
}

// expect receives the next event, and checks what it is and when it arrives.
func (s *stage) expect(want string, at time.Duration) {
	s.Helper()
	b := <-s.Events()
	for e := range b.Events() {
		got := e.Type()
		if e, ok := e.(*agent.Error); ok {
			got += " " + e.Code
		}
		require.Equal(s, want, got)
	}
	b.Release()
	require.Equal(s, at, time.Since(s.began))
}

// silent requires that nothing arrives for a long time.
func (s *stage) silent() {
	s.Helper()
	select {
	case <-s.Events():
		require.Fail(s, "something came")
	case <-time.After(time.Hour):
	}
	s.began = s.began.Add(time.Hour)
}

var (
	text    = &agent.TextDelta{Text: agent.NewText("hi")}
	done    = &agent.Done{}
	confirm = &agent.ConfirmationRequested{ToolCallID: "c"}
	request = &agent.QuestionAsked{QuestionID: "q"}
	silence = &agent.Hint{Rule: "silent"}
	limits  = idle.Limits{Start: 10 * time.Second, Idle: time.Minute}
)

func TestAnAgentThatNeverSpeaksFailsItsStart(t *testing.T) {
	play(t, limits, func(s *stage) {
		s.expect("error agent_start_timeout", 10*time.Second)
		s.puppet.mu.Lock()
		require.Equal(t, []string{"prompt t1", "cancel s1 t1", "abandon t1"}, s.puppet.commands)
		s.puppet.mu.Unlock()
		s.silent() // no turn is running
		s.prompt("t2")
		s.expect("error agent_start_timeout", 20*time.Second)
	})
}

// Telling the user about the silence does not end it.
func TestHintsAboutSilenceAreNotAgentOutput(t *testing.T) {
	play(t, limits, func(s *stage) {
		s.after(7*time.Second, silence)
		s.expect("hint", 7*time.Second)
		s.expect("error agent_start_timeout", 10*time.Second)
	})
	play(t, limits, func(s *stage) {
		s.after(time.Second, text)
		s.expect("text_delta", time.Second)
		s.after(7*time.Second, silence)
		s.expect("hint", 8*time.Second)
		s.expect("error agent_idle", 61*time.Second)
	})
}

func TestAnAgentThatFallsSilentFailsTheTurn(t *testing.T) {
	play(t, limits, func(s *stage) {
		s.after(9*time.Second, text)
		s.expect("text_delta", 9*time.Second)
		s.after(59*time.Second, text)
		s.expect("text_delta", 68*time.Second)
		s.expect("error agent_idle", 128*time.Second)
	})
}

func TestTheStartTimeoutEndsWithTheFirstEvent(t *testing.T) {
	play(t, limits, func(s *stage) {
		s.after(time.Second, done)
		s.expect("done", time.Second)
		s.silent()
		s.prompt("t2")
		s.expect("error agent_idle", time.Second+time.Minute)
	})
}

func TestTheStartTimeoutAppliesAgainAfterAnExit(t *testing.T) {
	play(t, limits, func(s *stage) {
		s.after(time.Second, text)
		s.expect("text_delta", time.Second)
		s.after(time.Second, &agent.Error{Code: "agent_exited"})
		s.expect("error agent_exited", 2*time.Second)
		s.prompt("t2")
		s.expect("error agent_start_timeout", 12*time.Second)
	})
}

func TestWaitingForTheUserIsNotLimited(t *testing.T) {
	for name, c := range map[string]struct {
		asks   agent.Event
		answer func(s agent.Session)
	}{
		"to allow":  {confirm, func(s agent.Session) { s.Confirm(agent.ConfirmationResponse{ToolCallID: "c"}) }},
		"to answer": {request, func(s agent.Session) { s.Answer(agent.QuestionResponse{QuestionID: "q"}) }},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, limits, func(s *stage) {
				s.after(0, c.asks)
				s.expect(c.asks.Type(), 0)
				s.silent()
				c.answer(s.Session)
				s.expect("error agent_idle", time.Minute)
			})
		})
	}
}

func TestEachConfirmationOfACallIsWaitedFor(t *testing.T) {
	first := &agent.ConfirmationRequested{ConfirmationID: "1", ToolCallID: "c"}
	second := &agent.ConfirmationRequested{ConfirmationID: "2", ToolCallID: "c"}
	answer := func(s *stage, id string) { s.Confirm(agent.ConfirmationResponse{ConfirmationID: id, ToolCallID: "c"}) }
	request := func(s *stage) {
		for _, e := range []agent.Event{first, second} {
			s.after(0, e)
			s.expect(e.Type(), 0)
		}
	}
	play(t, limits, func(s *stage) {
		request(s)
		answer(s, "1")
		s.silent()
		answer(s, "2")
		s.expect("error agent_idle", time.Minute)
	})
	play(t, limits, func(s *stage) {
		request(s)
		answer(s, "") // from an agent that does not repeat it
		s.expect("error agent_idle", time.Minute)
	})
	play(t, limits, func(s *stage) {
		request(s)
		s.after(0, &agent.ConfirmationResolved{ToolCallID: "c"})
		s.expect("tool_confirmation_resolved", 0)
		s.expect("error agent_idle", time.Minute)
	})
}

func TestRequestsAnsweredElsewhereAreNotWaitedFor(t *testing.T) {
	for asks, resolves := range map[agent.Event]agent.Event{
		confirm: &agent.ConfirmationResolved{ToolCallID: "c"},
		request: &agent.QuestionAnswered{QuestionID: "q"},
	} {
		play(t, limits, func(s *stage) {
			s.after(0, asks)
			s.expect(asks.Type(), 0)
			s.after(30*time.Minute, resolves)
			s.expect(resolves.Type(), 30*time.Minute)
			s.expect("error agent_idle", 31*time.Minute)
		})
	}
}

func TestASlowEditorIsNotASilentAgent(t *testing.T) {
	play(t, limits, func(s *stage) {
		s.after(0, text)
		<-time.After(time.Hour) // not received
		s.expect("text_delta", time.Hour)
		s.after(0, text)
		b := <-s.Events()
		<-time.After(time.Hour) // not released
		b.Release()
		s.expect("error agent_idle", 2*time.Hour+time.Minute)
	})
}

func TestACancelledTurnHasAnotherLimit(t *testing.T) {
	for name, stop := range map[string]func(s agent.Session){
		"cancelled": func(s agent.Session) { s.Cancel(agent.Cancel{TurnID: "t1"}) },
		"abandoned": func(s agent.Session) { s.Abandon("t1") },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, limits, func(s *stage) {
				stop(s.Session)
				s.silent()
			})
		})
	}
}

func TestAPreviousTurnsEndDoesNotEndTheWatch(t *testing.T) {
	play(t, limits, func(s *stage) {
		s.Abandon("t1")
		s.prompt("t2")
		s.after(0, &agent.Done{Base: agent.Base{TurnID: "t1"}})
		s.expect("done", 0)
		s.expect("error agent_start_timeout", 10*time.Second)
	})
}

func TestEachTimeoutWorksWithoutTheOther(t *testing.T) {
	play(t, idle.Limits{Idle: time.Minute}, func(s *stage) {
		s.expect("error agent_idle", time.Minute)
	})
	play(t, idle.Limits{Start: time.Minute}, func(s *stage) {
		s.after(0, text)
		s.expect("text_delta", 0)
		s.silent()
	})
}

func TestCloseDoesNotWaitForTheReceiver(t *testing.T) {
	play(t, limits, func(s *stage) {
		<-time.After(time.Minute) // the error is not received
	})
	play(t, limits, func(s *stage) {
		s.after(0, text)
		<-s.Events() // and never released
	})
}

var errRefused = errors.New("refused")

func TestRefusalsArePassedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &puppet{events: make(chan agent.Batch)}
		w, err := idle.New(p, limits).Open(t.Context(), agent.Options{})
		require.NoError(t, err)
		p.refuses = errRefused
		require.ErrorIs(t, w.Prompt(agent.Prompt{TurnID: "t1"}), errRefused)
		s := &stage{t, p, w, time.Now()}
		s.silent()
		require.NoError(t, w.Close(t.Context()))
		_, err = idle.New(p, limits).Open(t.Context(), agent.Options{})
		require.ErrorIs(t, err, errRefused)
	})
}

func TestWithoutLimitsNobodyWatches(t *testing.T) {
	p := &puppet{}
	require.Same(t, p, idle.New(p, idle.Limits{}))
	require.Equal(t, "puppet", idle.New(p, limits).Info().Name)
}
