package awaken

import (
	"encoding/json"
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// identity is a RunIdentity (contract/identity.rs): the lineage of a run.
type identity struct {
	AgentID          string `json:"agent_id"`
	ParentRunID      string `json:"parent_run_id"`
	ParentToolCallID string `json:"parent_tool_call_id"`
	Origin           string `json:"origin"`
}

// runStart begins a run, resumes the one that was suspended, or begins that of
// a sub-agent.
func (d *decoder) runStart(m *message) error {
	var f struct {
		RunID       string   `json:"run_id"`
		ThreadID    string   `json:"thread_id"`
		ParentRunID string   `json:"parent_run_id"`
		Identity    identity `json:"identity"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	id := d.runID(m, f.RunID)
	if f.ParentRunID == "" {
		f.ParentRunID = f.Identity.ParentRunID
	}
	current, p := d.run.state()
	nested := p != ended && current != "" && id != current &&
		(f.Identity.ParentToolCallID != "" || f.ParentRunID == current || d.subruns.find(f.ParentRunID) != nil)
	if nested {
		sub := d.subruns.add(id)
		d.emit(&agent.SubagentStart{
			ID: sub.callID, Name: f.Identity.AgentID, RunID: id,
			ParentRunID: f.ParentRunID, ParentToolCallID: f.Identity.ParentToolCallID,
		})
		return nil
	}
	if p == suspended && id != current && !d.run.expected() {
		// A server cancels what is suspended when its thread is given something
		// new to do, and need not say so in the stream of the new run.
		d.emit(&agent.Done{StopReason: agent.StopCancelled})
	}
	if f.ThreadID == "" {
		f.ThreadID = rawjson.String(m.thread).String()
	}
	if d.run.begin(id, f.ThreadID, m.form == olderForm) {
		return nil // resumed: the turn goes on
	}
	d.forget()
	e := &agent.RunStart{Source: f.Identity.Origin, TraceID: id}
	e.Extra = members(m.body, "event_type", "type", "source", "traceId", "turnId", "provider", "model")
	d.emit(e)
	return nil
}

// runID is the run that an event names: in the older form the envelope does.
func (d *decoder) runID(m *message, own string) string {
	if own == "" && m.run != nil {
		return rawjson.String(m.run).String()
	}
	return own
}

// forget drops what belongs to the run before.
func (d *decoder) forget() {
	d.calls, d.subruns = calls{}, subruns{}
	d.textFrame, d.thoughtFrame = rawjson.Frame{}, rawjson.Frame{}
}

// members are the fields of an object but for some, as Base.Extra has them.
func members(object []byte, but ...string) []byte {
	var out []byte
	o := rawjson.Walk(object)
next:
	for {
		key, value, ok := o.Next()
		if !ok {
			return out
		}
		for _, name := range but {
			if string(key) == name {
				continue next
			}
		}
		if out != nil {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), key...), '"', ':')
		out = append(out, value...)
	}
}

func (d *decoder) stepStart(m *message) error {
	var f struct {
		MessageID string `json:"message_id"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	d.emit(&agent.StepStart{StepID: f.MessageID})
	return nil
}

func (d *decoder) stepEnd(*message) error {
	d.emit(&agent.StepEnd{})
	return nil
}

// streamReset takes back the step: its text, and the calls that have not ended
// and that nobody is asked about. A sub-agent's step is no step of this run.
func (d *decoder) streamReset(m *message) error {
	var f struct {
		Reason string `json:"reason"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	if d.subruns.of(m) != nil {
		d.emit(&agent.Notice{Severity: "warning", Message: "A sub-agent starts a step again.", Description: f.Reason})
		return nil
	}
	d.calls.drop(func(id string) bool {
		_, open := d.run.find(id)
		return open
	})
	d.emit(&agent.StreamReset{Reason: f.Reason})
	return nil
}

// inferenceComplete follows the last word of the model in a step: what it has
// cost, and that the calls which are whole now run. A call that is not whole
// by now was cut off, and nothing will follow it (loop_runner/step.rs).
func (d *decoder) inferenceComplete(m *message) error {
	var f struct {
		Usage *struct {
			Prompt        int64 `json:"prompt_tokens"`
			Completion    int64 `json:"completion_tokens"`
			CacheRead     int64 `json:"cache_read_tokens"`
			CacheCreation int64 `json:"cache_creation_tokens"`
		} `json:"usage"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	if f.Usage == nil || d.subruns.of(m) != nil { // a sub-agent's context is not the session's
		d.emit(&agent.Telemetry{Name: "inference_complete", Data: m.body})
	} else {
		u := f.Usage
		// prompt_tokens counts those from the cache too.
		cached := max(u.CacheRead, 0) + max(u.CacheCreation, 0)
		e := &agent.Usage{
			InputTokens:         max(u.Prompt-cached, 0),
			OutputTokens:        max(u.Completion, 0),
			CacheReadTokens:     max(u.CacheRead, 0),
			CacheCreationTokens: max(u.CacheCreation, 0),
		}
		e.Extra = members(m.body, "event_type", "type", "usage", "turnId", "inputTokens", "outputTokens", "estimatedCostUsd",
			"cacheReadTokens", "cacheCreationTokens", "contextWindow")
		d.emit(e)
	}
	for _, k := range d.calls.list {
		switch k.state {
		case whole:
			k.state = underway
			e := &agent.ToolStart{ToolCallID: k.id, ToolName: k.name, Args: k.args}
			fill(&e.View, k.name, k.args)
			d.emit(e)
		case writing:
			k.state = finished
			d.emit(&agent.ToolEnd{ToolCallID: k.id, ToolName: k.name, Cancelled: true, Error: "the model did not finish writing this call"})
		case underway, finished:
		}
	}
	return nil
}

// encrypted says that there was a value, and not which: it is for the model's
// provider alone.
func (d *decoder) encrypted(*message) error {
	d.emit(&agent.Telemetry{Name: "reasoning_encrypted_value"})
	return nil
}

func (d *decoder) messagesSnapshot(m *message) error {
	var f struct {
		Messages json.RawMessage `json:"messages"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	d.emit(&agent.Telemetry{Name: "messages_snapshot", Data: f.Messages})
	return nil
}

func (d *decoder) stateSnapshot(m *message) error {
	var f struct {
		Snapshot json.RawMessage `json:"snapshot"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	d.emit(&agent.StateSnapshot{Snapshot: f.Snapshot})
	return nil
}

func (d *decoder) stateDelta(m *message) error {
	var f struct {
		Delta json.RawMessage `json:"delta"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	if present(f.Delta) && f.Delta[0] != '[' {
		return errors.New("its delta is no list")
	}
	d.emit(&agent.StateDelta{Delta: f.Delta})
	return nil
}
