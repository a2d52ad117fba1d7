package ethos

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// decoder decodes one stream.
type decoder struct {
	native  dialect.Decoder
	frames  frames
	request request
	calls   calls
	asks    asks
	plan    plan
	warned  string // what the last progress without a tool has said
	limited bool   // the turn has used up its tool calls
}

func newDecoder() *decoder {
	return &decoder{native: newNative(), calls: newCalls(), asks: newAsks()}
}

// Decode implements [dialect.Decoder].
func (d *decoder) Decode(line []byte, yield func(agent.Event) bool) error {
	if e := d.frames.match(line); e != nil {
		yield(e)
		return nil
	}
	m, err := members(line)
	switch {
	case err != nil:
		return d.native.Decode(line, yield) // which says what is wrong
	case m.kind != nil:
		d.frames.learn(line, line, m.kind, 0)
		return d.event(line, m.kind, yield)
	case string(m.method) == streamMethod:
		return d.stream(line, m, yield)
	case m.method != nil:
		// A request or a notification that is no event: for whom it may concern.
		yield(&agent.Telemetry{Name: rawjson.String(m.method).String(), Data: rawjson.CleanValue(bytes.TrimSpace(line))})
		return nil
	case m.id != nil && (m.result != nil || m.fail != nil):
		return d.response(m, line, yield)
	}
	return dialect.ErrNotObject
}

// event decodes a bare event of a type.
func (d *decoder) event(raw, kind []byte, yield func(agent.Event) bool) error {
	if p := push(kind); p != nil {
		return p.decode(d, raw, yield)
	}
	return d.native.Decode(raw, func(e agent.Event) bool { return d.adapt(e, yield) })
}

// adapt adds what Ethos means to what it says.
func (d *decoder) adapt(e agent.Event, yield func(agent.Event) bool) bool {
	switch e := e.(type) {
	case *agent.RunStart:
		d.begin()
	case *agent.ToolStart:
		d.calls.start(e)
		tools.Fill(&e.View, e.ToolName, e.Args)
	case *agent.ToolEnd:
		return d.toolEnd(e, yield)
	case *agent.ToolProgress:
		return yield(d.progress(e))
	case *agent.Halt:
		return yield(d.halt(e))
	case *agent.Error:
		d.request.failed = true
		if e.Code == "aborted" || e.Code == "abort" { // the second is the seed's
			return yield(&agent.Done{StopReason: agent.StopCancelled})
		}
	case *agent.Done:
		return d.done(e, yield)
	}
	return yield(e)
}

// begin forgets the turn before. What waits for an answer is kept: on the web
// an approval may outlive the events around it.
func (d *decoder) begin() {
	d.request = request{id: d.request.id}
	d.calls.clear()
	d.warned, d.limited = "", false
}

// done ends a turn. Inside of a request only its answer does.
func (d *decoder) done(e *agent.Done, yield func(agent.Event) bool) bool {
	if d.limited && e.StopReason == "" {
		e.StopReason = agent.StopMaxTurnRequests
	}
	if d.request.id != "" {
		d.request.held = e
		return true
	}
	d.limited = false
	return yield(e)
}

// toolEnd ends a call, and with it perhaps changes the plan.
func (d *decoder) toolEnd(e *agent.ToolEnd, yield func(agent.Event) bool) bool {
	c := d.calls.end(e.ToolCallID)
	if e.Error != "" && e.Error == e.Result.String() {
		e.Error = "" // Ethos says why a call was refused in both
	}
	if string(e.Structured) == "null" {
		e.Structured = nil
	}
	if d.asks.wasDenied(e.ToolCallID) && !e.OK {
		e.Cancelled = true
	}
	result := e.Result.String() // the normalizer may cut it
	ok := e.OK
	if !yield(e) {
		return false
	}
	if ok && isTodo(c.name) && d.plan.apply(c.name, c.args, result) {
		return yield(d.plan.event())
	}
	return true
}
