package events

import (
	"fmt"
	"math/rand/v2"
)

// period is the number of events after which the mix repeats. It contains one tool call
// (start, progress, end) and two thoughts; the rest, 95 %, is text.
const period = 100

// The positions of the other events in a period.
const (
	thoughtOne   = 0
	thoughtTwo   = 1
	toolStart    = 30
	toolProgress = 55
	toolEnd      = 75
)

// The size limits of tool results in a mixed stream, in bytes of JSON.
const (
	ResultMin = 2 << 10
	ResultMax = 20 << 10
)

// Mixed renders n events like those of a coding agent: texts of 1 to 12 characters with
// escapes and non-ASCII, some thoughts, and tool calls with results of 2 to 20 KiB.
func Mixed(n int) *Stream {
	return newMixer(n, 1, 2).render(n)
}

func (m *mixer) render(n int) *Stream {
	for i := range n {
		m.event(i)
	}
	m.s.Bytes = int64(len(m.out))
	m.s.segments = [][]byte{m.out}
	m.s.Summary.Text = m.text.Digest()
	m.s.Summary.Thought = m.thought.Digest()
	return &m.s
}

type mixer struct {
	written       bool // like real agents; see Written
	r             *rand.Rand
	out           []byte
	text, thought *Digester
	s             Stream
}

func (m *mixer) event(i int) {
	number := i / period
	switch i % period {
	case thoughtOne, thoughtTwo:
		m.begin(i, "thinking_delta")
		m.delta(`,"thinking":"`, m.thought)
	case toolStart:
		m.open(i, "tool_start", number)
		if m.written {
			m.out = fmt.Appendf(m.out, `,"title":"Read main_%d.go"`, number)
		}
		m.out = fmt.Appendf(m.out, `,"toolName":"read_file","args":{"path":"src/main_%d.go","offset":%d}}`, number, i)
	case toolProgress:
		m.open(i, "tool_progress", number)
		m.out = append(m.out, `,"toolName":"read_file","message":"half of it is read","percent":50,"audience":"user"}`...)
	case toolEnd:
		m.open(i, "tool_end", number)
		size := ResultMin + m.r.IntN(ResultMax-ResultMin)
		m.out = append(m.out, `,"toolName":"read_file","ok":true,"durationMs":12,"result":"`...)
		m.s.Summary.ResultBytes += int64(m.body(number, size))
		m.out = append(m.out, `"}`...)
		m.s.Summary.Calls++
	default:
		m.begin(i, "text_delta")
		m.delta(`,"text":"`, m.text)
	}
	m.out = append(m.out, '\n')
}

// delta appends an event that ends with a short text.
func (m *mixer) delta(head string, d *Digester) {
	m.out = append(m.out, head...)
	for range 1 + m.r.IntN(12) {
		g := pick(m.r)
		m.out = append(m.out, g.json...)
		d.Add(g.text)
	}
	m.out = append(m.out, `"}`...)
}

// open appends the head of a tool call event and records the position of its number.
func (m *mixer) open(i int, kind string, number int) {
	m.begin(i, kind)
	m.out = append(m.out, `,"toolCallId":"`...)
	m.out = appendCall(m.out, number)
	m.s.calls = append(m.s.calls, len(m.out)-callWidth)
	m.out = append(m.out, '"')
}

// appendBody appends lines of text like a tool's output, about size bytes of JSON. It
// returns the length of the text in bytes.
func appendBody(dst []byte, r *rand.Rand, size int) ([]byte, int) {
	text, column := 0, 0
	for end := len(dst) + size; len(dst) < end; {
		g := pick(r)
		if column++; column == 60 {
			g, column = newline, 0
		}
		dst = append(dst, g.json...)
		text += len(g.text)
	}
	return dst, text
}
