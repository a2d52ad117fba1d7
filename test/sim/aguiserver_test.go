package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// An aguiServer is an AG-UI server, as one of Turnwire's servers reaches it.
type aguiServer struct {
	server *server
	agent  *agentSpec
}

// A thread is a conversation with an AG-UI server. It outlives Turnwire's servers.
type thread struct{ actors []*actor }

// aguiInput is the input of a run.
type aguiInput struct {
	ThreadID       string        `json:"threadId"`
	RunID          string        `json:"runId"`
	Messages       []aguiMessage `json:"messages"`
	Resume         []aguiAnswer  `json:"resume"`
	ForwardedProps struct {
		Command any `json:"command"` // answers an interrupt of LangGraph's own
	} `json:"forwardedProps"`
}

// An aguiMessage is a message of the conversation.
type aguiMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // a text, or a list of texts and files
}

// text returns the first text of the message.
func (m *aguiMessage) text() (text string) {
	if exactjson.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if exactjson.Unmarshal(m.Content, &parts) == nil && len(parts) > 0 {
		text = parts[0].Text
	}
	return text
}

// An aguiAnswer answers an interrupt.
type aguiAnswer struct {
	InterruptID string `json:"interruptId"`
	Status      string `json:"status"`
	Payload     any    `json:"payload"`
}

// RoundTrip implements [http.RoundTripper].
func (s *aguiServer) RoundTrip(r *http.Request) (*http.Response, error) {
	defer r.Body.Close() //nolint:errcheck // it is in memory
	time.Sleep(s.server.world.latency())
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var in aguiInput
	if err := exactjson.Unmarshal(body, &in); err != nil || in.ThreadID == "" || in.RunID == "" {
		s.server.world.fail("agents get valid messages", fmt.Errorf("%w: %s", err, body))
		return nil, errors.ErrUnsupported
	}
	if response, err := s.unwilling(r, body); response != nil || err != nil {
		return response, err
	}
	c := s.actor(in.ThreadID)
	one := &aguiRun{pipe: newPipe(pipeSize), id: in.RunID, ctx: r.Context(), over: make(chan struct{})}
	_, _ = io.WriteString(one, frames(object{"type": "RUN_STARTED", "threadId": in.ThreadID, "runId": in.RunID})) // there is room
	if len(in.Resume) > 0 || in.ForwardedProps.Command != nil {
		c.resume(one, in)
	} else if last := in.Messages; len(last) > 0 && last[len(last)-1].Role == "user" {
		c.begin(&turn{session: in.ThreadID, token: last[len(last)-1].text(), run: one})
	} else {
		s.server.world.fail("agents get valid messages", fmt.Errorf("a run has neither a prompt nor an answer: %s", body))
		one.finish()
	}
	header := http.Header{"Content-Type": {"text/event-stream"}}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: one, Request: r}, nil
}

// unwilling answers some requests without starting a run. A request that is sent again is
// another one.
func (s *aguiServer) unwilling(r *http.Request, body []byte) (*http.Response, error) {
	h := fnv.New64a()
	_, _ = h.Write(body) // never fails
	switch m := s.agent.Manner; {
	case h.Sum64()%8 > 0:
	case m == hanging, m == deaf:
		<-r.Context().Done()
		return nil, r.Context().Err()
	case m == mortal, m == malicious:
		text := io.NopCloser(strings.NewReader("<html>Bad Gateway</html>"))
		return &http.Response{StatusCode: http.StatusBadGateway, Header: http.Header{"Content-Type": {"text/html"}}, Body: text, Request: r}, nil
	}
	return nil, nil
}

// actor returns who plays the server for a thread.
func (s *aguiServer) actor(id string) *actor {
	w := s.server.world
	w.mu.Lock()
	known := w.threads[id]
	if known == nil {
		known = new(thread)
		w.threads[id] = known
	}
	if n := len(known.actors); n > 0 {
		if last := known.actors[n-1]; last.server == s.server && last.ctx.Err() == nil {
			w.mu.Unlock()
			return last
		}
	}
	w.mu.Unlock()
	c := newActor(s.server, s.agent, nil)
	w.mu.Lock()
	known.actors = append(known.actors, c)
	w.mu.Unlock()
	return c
}

// closeThreads ends all AG-UI servers.
func (w *World) closeThreads() {
	for _, id := range sortedKeys(w.threads) {
		for _, c := range w.threads[id].actors {
			c.exit(child.ExitStatus{})
		}
	}
}

// resume gives the answers to what the last run has asked, which may have been another
// actor's.
func (c *actor) resume(one *aguiRun, in aguiInput) {
	continued := false
	for _, a := range in.Resume {
		payload, _ := a.Payload.(map[string]any)
		allows := a.Status == "resolved" && payload["approved"] == true
		c.world.mu.Lock()
		actors := slices.Clone(c.world.threads[in.ThreadID].actors)
		c.world.mu.Unlock()
		taken := slices.ContainsFunc(actors, func(asked *actor) bool { return asked.take(a, one, allows, c.server) })
		continued = continued || taken
		c.world.mu.Lock()
		joined := c.server.isJoined() // otherwise, its session may have another owner, which refused it
		c.world.mu.Unlock()
		if !taken && allows && joined {
			c.world.fail("agents get valid messages", fmt.Errorf("a permission for %s, which nobody asked for, or which was refused", a.InterruptID))
		}
	}
	if !continued { // it was asked in a run that is forgotten
		_, _ = io.WriteString(one, runEnd(&turn{session: in.ThreadID, run: one}, object{"type": "success"})) // there is room
		one.finish()
	}
}

// take continues the turn that waits for an answer, if there is one. The answer comes from a
// server.
func (c *actor) take(a aguiAnswer, one *aguiRun, allows bool, from *server) bool {
	c.mu.Lock()
	w := c.open[a.InterruptID]
	c.mu.Unlock()
	if w == nil || c.ctx.Err() != nil {
		return false
	}
	w.passed = from != c.server
	next, answers := a.Payload.(string)
	if answers = answers && strings.HasPrefix(a.InterruptID, "question-"); answers { // the client's next prompt
		w.turn.finish("end_turn")
		defer c.begin(&turn{session: w.turn.session, token: next, run: one})
	} else {
		w.turn.run, w.turn.refused = one, a.Status != "resolved"
		w.turn.watch()
	}
	if err := c.answered(a.InterruptID, allows, ""); err != nil {
		c.world.fail("agents get valid messages", err)
	}
	return true
}
