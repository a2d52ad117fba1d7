package ethos

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// streamMethod is the method of the notifications that carry events.
const streamMethod = "$/stream"

// A request is the prompt whose events come.
type request struct {
	id     string // as JSON; "" where none runs
	failed bool   // it has ended with an error
	// stopped is set once Ethos has taken a request to cancel it: the answer to
	// the prompt will not say so.
	stopped bool
	held    *agent.Done // its last event, which waits for the answer
}

// frames find the lines that differ from the last one in their text alone.
type frames struct {
	text, thinking rawjson.Frame
	textNow        agent.TextDelta
	thinkingNow    agent.ThinkingDelta
}

// match decodes a line that has a known frame; nil for all others.
func (f *frames) match(line []byte) agent.Event {
	if body, ok := f.text.Match(line); ok {
		f.textNow = agent.TextDelta{Text: body}
		return &f.textNow
	}
	if body, ok := f.thinking.Match(line); ok {
		f.thinkingNow = agent.ThinkingDelta{Thinking: body}
		return &f.thinkingNow
	}
	return nil
}

// learn remembers the frame of a line whose event, of a kind, stands at at, if
// it is text and nothing else.
func (f *frames) learn(line, event, kind []byte, at int) {
	switch string(kind) {
	case "text_delta":
		if from, to, ok := alone(event, "text"); ok {
			f.text.Learn(line, at+from, at+to)
		}
	case "thinking_delta":
		if from, to, ok := alone(event, "thinking"); ok {
			f.thinking.Learn(line, at+from, at+to)
		}
	}
}

// alone finds the string under key in an event that has nothing else but its
// type.
func alone(event []byte, key string) (from, to int, ok bool) {
	count := 0
	o := rawjson.Walk(event)
	for {
		k, value, more := o.Next()
		if !more {
			break
		}
		count++
		if string(k) == key && value[0] == '"' {
			from, to = o.Span()
		}
	}
	return from, to, o.Err() == nil && count == 2 && from > 0
}

// stream decodes a notification. The first of a prompt is where its turn
// begins: Ethos refuses some before they run.
func (d *decoder) stream(line []byte, m message, yield func(agent.Event) bool) error {
	var id string
	var event []byte
	at := 0
	o := rawjson.Walk(m.params)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "requestId":
			id = string(value)
		case "event":
			event = value
			at, _ = o.Span()
		}
	}
	if len(event) == 0 || event[0] != '{' {
		return &dialect.MalformedError{Type: streamMethod, Raw: line, Err: dialect.ErrNotObject}
	}
	inner, err := members(event)
	if err == nil && inner.kind == nil {
		err = dialect.ErrNotObject
	}
	if err != nil {
		return &dialect.MalformedError{Type: streamMethod, Raw: line, Err: err}
	}
	if id != "" && id != d.request.id {
		// Two prompts at once are told apart by nothing else.
		if string(inner.kind) == "run_start" && !d.giveUp(yield) {
			return nil
		}
		d.begin()
		d.request.id = id
	}
	d.frames.learn(line, event, inner.kind, m.at+at)
	return d.event(event, inner.kind, yield)
}

// giveUp ends a prompt that was not answered before the next began.
func (d *decoder) giveUp(yield func(agent.Event) bool) bool {
	switch r := d.request; {
	case r.id == "" || r.failed:
		return true
	case r.stopped:
		return yield(&agent.Done{StopReason: agent.StopCancelled})
	case r.held != nil:
		return yield(r.held)
	}
	return yield(&agent.Error{Error: "Ethos has not answered the prompt", Code: codeNoAnswer})
}

// response decodes an answer. That to the prompt ends the turn; all others are
// between Ethos and its client.
func (d *decoder) response(m message, line []byte, yield func(agent.Event) bool) error {
	mine := d.request.id == "" || d.request.id == string(m.id)
	if m.fail != nil {
		return d.failure(m, line, mine, yield)
	}
	var answer struct {
		Text      *string `json:"text"`
		TurnCount *int64  `json:"turnCount"`
		OK        bool    `json:"ok"`
	}
	// One that cannot be read so is that of a request of another kind.
	err := exactjson.Unmarshal(m.result, &answer)
	if err != nil || answer.Text == nil || answer.TurnCount == nil || !mine {
		// Of all that can be asked while a prompt runs, only cancel is
		// answered with nothing but "ok".
		d.request.stopped = d.request.stopped || err == nil && answer.OK && !mine
		return nil
	}
	end := d.request.held
	if end == nil {
		end = &agent.Done{TurnCount: *answer.TurnCount}
	}
	if end.Text == "" {
		end.Text = *answer.Text
	}
	switch {
	case d.request.stopped:
		end.StopReason = agent.StopCancelled
	case d.limited && end.StopReason == "":
		end.StopReason = agent.StopMaxTurnRequests
	}
	failed := d.request.failed
	d.request.id = ""
	d.begin()
	if !failed { // Ethos answers with success also after an error
		yield(end)
	}
	return nil
}

// failure decodes an answer that is an error: a prompt that was refused or
// thrown out of, or a small thing that failed beside it.
func (d *decoder) failure(m message, line []byte, mine bool, yield func(agent.Event) bool) error {
	var rpc struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	if err := exactjson.Unmarshal(m.fail, &rpc); err != nil {
		return &dialect.MalformedError{Type: "error", Raw: line, Err: err}
	}
	e := &agent.Error{Error: rpc.Message, Code: strconv.FormatInt(rpc.Code, 10)}
	if e.Error == "" {
		e.Error = fmt.Sprintf("Ethos answered with the error %d", rpc.Code)
	}
	if strings.Contains(rpc.Message, "has a prompt in progress") {
		e.Error = "Ethos is still busy with the turn before: " + rpc.Message
		e.Code = codeBusy
	}
	if !mine {
		goesOn := false
		e.Fatal = &goesOn
		yield(e)
		return nil
	}
	failed := d.request.failed
	d.request.id = ""
	d.begin()
	if !failed {
		yield(e)
	}
	return nil
}
