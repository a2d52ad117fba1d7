package runs_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/runs"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/memnet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// talk is a conversation whose runs end with "end", or with "ask" for an answer.
type talk struct {
	runs.Backend
	body   any
	phase  runs.Phase
	asking bool
	nexts  int // calls of Next
}

func (c *talk) Turn(ctx context.Context, t *lifecycle.Turn) error { return c.Run(ctx, t, c) }

func (c *talk) Begin(t *lifecycle.Turn) { c.body = t.Prompt.Text }

func (c *talk) Open(ctx context.Context) (*httpsse.Stream, dialect.Decoder, error) {
	c.phase, c.asking = runs.Unknown, false
	table := dialect.Table[talk]{Forms: []dialect.Form[talk]{{Type: "type", Kinds: []dialect.Kind[talk]{
		{Name: "begin", Decode: func(c *talk, _ *dialect.Line) { c.phase = runs.Running }},
		{Name: "ask", Decode: func(c *talk, l *dialect.Line) {
			c.phase, c.asking = runs.Ended, true
			l.Emit(&agent.QuestionAsked{QuestionID: "q"})
		}},
		{Name: "end", Decode: func(c *talk, l *dialect.Line) {
			c.phase = runs.Ended
			l.Emit(&agent.Done{})
		}},
	}}}}
	events, err := c.Client.Stream(ctx, http.MethodPost, "", c.body, "")
	return events, table.Compile().Decoder(c), err
}

func (c *talk) Phase(*lifecycle.Turn) runs.Phase { return c.phase }

func (c *talk) Next(ctx context.Context, _ *lifecycle.Turn, failed error) (more bool, err error) {
	if c.nexts++; failed != nil || !c.asking {
		return false, failed
	}
	answers, err := c.Answers.Wait(ctx, []string{"q"}, nil)
	c.body = answers["q"].Response.Answer
	return err == nil, err
}

// serve opens a session with a server that calls answer for each request.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, body string)) *agenttest.Conversation {
	t.Helper()
	return agenttest.Converse(t, open(t, new(talk), answer), agenttest.JSON)
}

func open(t *testing.T, c *talk, answer func(w http.ResponseWriter, r *http.Request, body string)) agent.Session {
	t.Helper()
	server := memnet.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		answer(w, r, string(body))
	}))
	o := agent.Options{SessionID: "s"}
	client, err := httpsse.Connect(httpsse.Config{BaseURL: "http://server", Transport: server.Transport()}, &o)
	require.NoError(t, err)
	c.Backend = runs.Backend{Protocol: "Talk", Client: client, Log: o.Log}
	return lifecycle.NewSession(c, o)
}

func send(w http.ResponseWriter, events ...string) {
	for _, e := range events {
		_, _ = io.WriteString(w, `data: {"type":"`+e+`"}`+"\n\n")
	}
	_ = http.NewResponseController(w).Flush()
}

func prompt(c *agenttest.Conversation, turn string) {
	c.Send(agent.Prompt{SessionID: "s", TurnID: turn, Text: turn})
}

const done = `{"type":"done","text":""}`

func TestTheNextRunCarriesTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bodies []string
		c := serve(t, func(w http.ResponseWriter, _ *http.Request, body string) {
			if bodies = append(bodies, body); len(bodies) == 1 {
				send(w, "begin", "ask")
				return
			}
			send(w, "begin", "end")
		})
		prompt(c, "t1")
		c.Until(func(e agent.Event) bool { return e.Type() == "question" })
		c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q", Answer: "yes"})
		require.Equal(t, []string{done}, c.UntilEnd())
		require.Equal(t, []string{`"t1"`, `"yes"`}, bodies)
		c.End()
	})
}

func TestAServerMayStoreARunAfterItsEnd(t *testing.T) {
	for name, takes := range map[string]time.Duration{"quickly": time.Second, "forever": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stored := make(chan bool, 2)
				c := serve(t, func(w http.ResponseWriter, r *http.Request, _ string) {
					send(w, "begin", "end", "ask")
					select {
					case <-time.After(takes):
						stored <- true
					case <-r.Context().Done():
						stored <- false
					}
				})
				for _, turn := range []string{"t1", "t2"} {
					prompt(c, turn)
					require.Equal(t, []string{done}, c.UntilEnd(), "what follows the end is ignored")
					require.Equal(t, takes == time.Second, <-stored)
				}
				c.End()
			})
		})
	}
}

func TestACancelClosesTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := make(chan struct{})
		c := serve(t, func(w http.ResponseWriter, r *http.Request, _ string) {
			send(w, "begin")
			<-r.Context().Done()
			close(gone)
		})
		prompt(c, "t1")
		synctest.Wait()
		c.Stop()
		require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled"}`}, c.UntilEnd())
		<-gone
		c.End()
	})
}

// The receiver of a session's events may still be decoding them when it is closed.
func TestAClosedSessionLeavesItsConversationAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(talk)
		s := open(t, c, func(w http.ResponseWriter, _ *http.Request, _ string) { send(w, "begin", "ask") })
		require.NoError(t, s.Prompt(agent.Prompt{SessionID: "s", TurnID: "t1"}))
		closed := make(chan error, 1)
		for b := range s.Events() {
			for range b.Events() {
				go func() { closed <- s.Close(t.Context()) }()
				synctest.Wait()
				require.Zero(t, c.nexts)
			}
			b.Release()
		}
		require.NoError(t, <-closed)
	})
}

func TestAStreamThatEndsTooEarlyIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		want   string
	}{
		"no events":    {nil, "the stream of http://server ended before the run did (it sent nothing)"},
		"other events": {[]string{"noise"}, "POST http://server returned other events instead of those of Talk"},
		"half a run":   {[]string{"begin"}, "the stream of http://server ended before the run did. See the server's log"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := serve(t, func(w http.ResponseWriter, _ *http.Request, _ string) { send(w, c.events...) })
				prompt(s, "t1")
				lines := s.UntilEnd()
				require.Contains(t, lines[len(lines)-1], c.want)
				s.End()
			})
		})
	}
}
