package agentb

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// decoder decodes one stream: that of a run, or of several after one another.
type decoder struct {
	// asks is set where the outputs of tools can be given to a paused run;
	// then a pause is a question for each of them, and no end.
	asks bool

	last     envelope
	deltas   deltas
	messages messages
	calls    calls
	required []toolCall // of the last requires_action, until it is known what it means
	unasked  bool       // nobody can be asked for some of them
	paused   []toolCall // what the run waits for
	over     bool       // the run has said its end
	status   string     // details of a status that announces an end
}

func newDecoder(asks bool) *decoder {
	return &decoder{asks: asks, calls: make(calls)}
}

// Decode implements [dialect.Decoder].
func (d *decoder) Decode(line []byte, yield func(agent.Event) bool) error {
	if e := d.deltas.like(line); e != nil {
		yield(e)
		return nil
	}
	e, err := open(line, &d.last)
	if err != nil {
		return err
	}
	if e.run == "" {
		e.run = d.last.run
	} else if e.run != d.last.run {
		d.begin()
	}
	d.last = envelope{run: e.run, thread: e.thread}
	return d.decode(&e, yield)
}

// begin forgets the run before. Messages are remembered: their ids are unique.
func (d *decoder) begin() {
	d.required, d.paused, d.over, d.status = nil, nil, false, ""
	clear(d.calls)
}

func (d *decoder) decode(e *envelope, yield func(agent.Event) bool) error {
	switch string(e.kind) {
	case messageDelta:
		return d.delta(e, yield)
	case runCreated:
		d.begin()
		yield(&agent.RunStart{TraceID: e.run}) // its messages repeat the prompt
		return nil
	case stepCreated:
		return d.step(e, yield)
	case statusChanged:
		return d.statusChange(e, yield)
	case messageCreated:
		return d.messageBegins(e, yield)
	case messageCompleted:
		return d.messageEnds(e, yield)
	case callCreated, callCompleted:
		return d.call(e, yield)
	case toolStarted:
		return d.toolStarts(e, yield)
	case toolCompleted:
		return d.toolEnds(e, yield)
	case subAgentStarted:
		return d.subAgentStarts(e, yield)
	case subAgentCompleted:
		return d.subAgentEnds(e, yield)
	case requiresAction:
		return d.require(e, yield)
	case runFailed:
		return d.fail(e, yield)
	case runCompleted:
		return d.complete(e, yield)
	}
	yield(&agent.Unknown{Name: string(e.kind), Raw: bytes.TrimSpace(rawjson.CleanValue(e.line))})
	return nil
}
