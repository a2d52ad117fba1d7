package agentao

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// textLine is the event that a stream has thousands of, which differ in their
// text alone; those of a replay file are also numbered and dated. A line is
// compared with the last that was taken apart.
type textLine struct {
	frame rawjson.Frame
	event agent.TextDelta
}

// outputLine is the same for what a tool prints.
type outputLine struct {
	frame rawjson.Frame
	event agent.ToolOutput
	id    string // of the call; "" where it must be looked up again
}

// hot decodes a line that is like one before, without looking at its members.
func (d *decoder) hot(line []byte) bool {
	if body, ok := d.text.frame.Match(line); ok {
		d.say(body)
		return true
	}
	if d.output.id == "" {
		return false
	}
	body, ok := d.output.frame.Match(line)
	if ok {
		d.output.event = agent.ToolOutput{ToolCallID: d.output.id, Text: body}
		d.emit(&d.output.event)
		return true
	}
	d.output.id = "" // whatever comes now may end the call
	return false
}

// textOf takes a line with a piece of the answer whose frame is new.
func (d *decoder) textOf(line []byte) bool {
	from, to, named := -1, -1, false
	var counts [3]rawjson.Span // what numbers and dates the line
	counted := 0
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "type", "kind":
			if named = string(value) == `"llm_text"` || string(value) == `"assistant_text_chunk"`; !named {
				return false
			}
		case "event_id", "seq", "ts":
			if counted < len(counts) {
				counts[counted].From, counts[counted].To = o.Span()
				counted++
			}
		case "data", "payload":
			base, _ := o.Span()
			if from, to = member(value, "chunk"); from >= 0 {
				from, to = base+from, base+to
			}
		}
	}
	if o.Err() != nil || !named || from < 0 || line[from] != '"' {
		return false
	}
	d.text.frame.Learn(line, from, to, counts[:counted]...)
	d.say(rawjson.String(line[from+1 : to-1]))
	return true
}

// learnOutput takes a line of the type tool_output about a call that runs.
func (d *decoder) learnOutput(line []byte) bool {
	from, to := locate(line, "chunk")
	wire, wireTo := locate(line, "call_id")
	tool, toolTo := locate(line, "tool")
	if from < 0 || wire < 0 || tool < 0 {
		return false
	}
	name := rawjson.String(line[tool+1 : toolTo-1]).String()
	c := d.calls.find(rawjson.String(line[wire+1:wireTo-1]).String(), name, running)
	if c == nil {
		return false
	}
	d.output.frame.Learn(line, from, to)
	d.output.id = c.id
	d.output.event = agent.ToolOutput{ToolCallID: c.id, Text: rawjson.String(line[from+1 : to-1])}
	d.emit(&d.output.event)
	return true
}

// locate finds the string under a key of a line's data: the token is
// line[from:to]. from is -1 where there is none.
func locate(line []byte, key string) (from, to int) {
	base, end := member(line, "data")
	if base < 0 || line[base] != '{' {
		return -1, -1
	}
	if from, to = member(line[base:end], key); from < 0 || line[base+from] != '"' {
		return -1, -1
	}
	return base + from, base + to
}

// member finds the value under a key of an object; of several, the last counts.
func member(object []byte, key string) (from, to int) {
	from, to = -1, -1
	o := rawjson.Walk(object)
	for {
		k, _, ok := o.Next()
		if !ok {
			return from, to
		}
		if string(k) == key {
			from, to = o.Span()
		}
	}
}

// textChunk takes what textOf does not: a text that is missing, or no text.
func (d *decoder) textChunk(_ string, data []byte) error {
	var e struct {
		Chunk rawjson.String `json:"chunk"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	if len(e.Chunk) > 0 {
		d.say(e.Chunk)
	}
	return nil
}

// say hands a piece of the answer over.
func (d *decoder) say(body rawjson.String) {
	if d.calls.holds > 0 {
		d.letGo()
	}
	d.said.add(body)
	d.text.event = agent.TextDelta{Text: body}
	d.emit(&d.text.event)
}

// thinking takes thoughts. Before its tool calls Agentao gives the text of the
// answer, which it has streamed, once more as a thought (runtime/chat_loop):
// that is dropped.
func (d *decoder) thinking(_ string, data []byte) error {
	var e struct {
		Text rawjson.String `json:"text"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	d.letGo()
	if len(e.Text) > 0 && !d.said.is(e.Text.String()) {
		d.emit(&agent.ThinkingDelta{Thinking: e.Text})
	}
	return nil
}

// maxSaid bounds what is remembered of an answer, in bytes of JSON text.
const maxSaid = 1 << 20

// said is what the model has streamed in its last answer.
type said struct {
	text  rawjson.String
	cut   bool // there was more
	stale bool // another answer begins with the next piece
}

// forget begins another answer.
func (s *said) forget() { s.text, s.cut, s.stale = s.text[:0], false, false }

func (s *said) add(body rawjson.String) {
	if s.stale {
		s.forget()
	}
	if s.cut = s.cut || len(s.text)+len(body) > maxSaid; !s.cut {
		s.text = append(s.text, body...)
	}
}

// is tells whether text is what was said, but for white space around it.
func (s *said) is(text string) bool {
	have := strings.TrimSpace(s.text.String())
	text = strings.TrimSpace(text)
	return have != "" && (text == have || s.cut && strings.HasPrefix(text, have))
}

// unsaid is what of the turn's final text was not streamed. It may go on where
// the streamed text has ended, or be another text.
func (s *said) unsaid(final string) (rest string, goesOn bool) {
	if strings.TrimSpace(final) == "" || s.is(final) {
		return "", false
	}
	have := strings.TrimSpace(s.text.String())
	if rest, ok := strings.CutPrefix(strings.TrimSpace(final), have); ok && have != "" {
		return rest, true
	}
	return final, false
}
