package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/turnwire/turnwire/bench/events"
)

// verify sends a mixed stream and compares the output with the input. It is not timed.
func (b *bench) verify(ctx context.Context, c contender) error {
	s, err := c.launch(ctx, []string{b.child, "-events", strconv.Itoa(b.verified)})
	if err != nil {
		return err
	}
	if err := s.prompt("go"); err != nil {
		return err
	}
	v := newVerifier(s.(*session))
	if err := v.rest(); err != nil {
		return err
	}
	if err := v.compare(events.Mixed(b.verified).Summary); err != nil {
		return err
	}
	return s.close()
}

// A verifier reads a turn line by line and accumulates its content.
type verifier struct {
	e             *session
	text, thought *events.Digester
	open          map[string]bool // by id; true while the call runs
	calls         int
	resultBytes   int64
}

func newVerifier(e *session) *verifier {
	return &verifier{e: e, text: events.NewDigester(), thought: events.NewDigester(), open: make(map[string]bool)}
}

// update has the members of a session update that are checked.
type update struct {
	SessionUpdate string          `json:"sessionUpdate"`
	Content       json.RawMessage `json:"content"`
	ToolCallID    string          `json:"toolCallId"`
	Status        string          `json:"status"`
}

type content struct{ Text string }

// rest reads all lines until the turn ends.
func (v *verifier) rest() error {
	for {
		if end, err := v.line(); end || err != nil {
			return err
		}
	}
}

// line reads one line and reports whether it ends the turn.
func (v *verifier) line() (bool, error) {
	line, err := v.e.ReadBytes('\n')
	if err != nil {
		return false, err
	}
	if end, err := v.e.ends(line); end || err != nil {
		return end, err
	}
	var m struct {
		Method string
		Params struct{ Update update }
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return false, fmt.Errorf("update: %w", err)
	}
	if m.Method != "session/update" {
		return false, nil
	}
	return false, v.update(m.Params.Update)
}

func (v *verifier) update(u update) error {
	switch u.SessionUpdate {
	case "agent_message_chunk", "agent_thought_chunk":
		var c content
		if err := json.Unmarshal(u.Content, &c); err != nil {
			return fmt.Errorf("content: %w", err)
		}
		if u.SessionUpdate == "agent_message_chunk" {
			v.text.Add(c.Text)
		} else {
			v.thought.Add(c.Text)
		}
	case "tool_call":
		if _, known := v.open[u.ToolCallID]; known {
			return fmt.Errorf("tool call %s began twice", u.ToolCallID)
		}
		v.open[u.ToolCallID] = true
	case "tool_call_update":
		if !v.open[u.ToolCallID] {
			return fmt.Errorf("update of tool call %s, which does not run", u.ToolCallID)
		}
		if u.Status != "completed" {
			return nil
		}
		v.open[u.ToolCallID] = false
		v.calls++
		var list []struct{ Content content }
		if err := json.Unmarshal(u.Content, &list); err != nil {
			return fmt.Errorf("content of tool call %s: %w", u.ToolCallID, err)
		}
		for _, c := range list {
			v.resultBytes += int64(len(c.Content.Text))
		}
	}
	return nil
}

// compare returns an error if a part of the stream is missing or changed. A bridge may
// decorate a result, but not shorten it.
func (v *verifier) compare(want events.Summary) error {
	got := events.Summary{Text: v.text.Digest(), Thought: v.thought.Digest(), Calls: v.calls, ResultBytes: v.resultBytes}
	if got.ResultBytes > want.ResultBytes {
		got.ResultBytes = want.ResultBytes
	}
	if got != want {
		return fmt.Errorf("what arrived is not what was sent: got %+v, want %+v", got, want)
	}
	return nil
}
