package events

import (
	"fmt"
	"math/rand/v2"
)

// Written renders n events like those of real agents. Every line also has an id, a
// sequence number and a time, the type is not the first member, calls have titles, and
// results are in five scripts.
func Written(n int) *Stream {
	m := newMixer(n, 5, 6)
	m.written = true
	return m.render(n)
}

// scripts are letters of five scripts, with one, two and three bytes each.
var scripts = [][]rune{
	[]rune("etaoin shrdlu cmfwyp vbgkjqxz 0123456789 .,;:(){}"),
	[]rune("строка результата поиска по исходному коду программы"),
	[]rune("نتيجة البحث في ملفات المشروع وما وجد فيها من أخطاء"),
	[]rune("परिणाम की पंक्ति और खोज का परिणाम यहाँ लिखा है"),
	[]rune("検索結果の行数は次のとおりです。変更点を確認する"),
}

// body appends a result of about size bytes in a script.
func (m *mixer) body(script, size int) int {
	if !m.written {
		var n int
		m.out, n = appendBody(m.out, m.r, size)
		return n
	}
	letters := scripts[script%len(scripts)]
	text, column := 0, 0
	for end := len(m.out) + size; len(m.out) < end; {
		var g glyph
		column++
		switch n := m.r.IntN(32); {
		case column == 60:
			g, column = newline, 0
		case n == 0:
			g = escapes[m.r.IntN(len(escapes))]
		case n == 1:
			g = glyph{`\/`, "/"}
		default:
			c := string(letters[m.r.IntN(len(letters))])
			g = glyph{c, c}
		}
		m.out = append(m.out, g.json...)
		text += len(g.text)
	}
	return text
}

// begin appends the start of an event of the given type.
func (m *mixer) begin(i int, kind string) {
	if m.written {
		m.out = fmt.Appendf(m.out, `{"id":"evt_%08x","seq":%d,"type":%q,"ts":%d`, i*2654435761%(1<<32), i, kind, 1790000000000+i)
	} else {
		m.out = fmt.Appendf(m.out, `{"type":%q`, kind)
	}
}

func newMixer(n int, seeds ...uint64) *mixer {
	m := &mixer{
		r:       rand.New(rand.NewPCG(seeds[0], seeds[1])),
		text:    NewDigester(),
		thought: NewDigester(),
		out:     make([]byte, 0, n*180+ResultMax),
	}
	m.s.Events, m.s.Visible = n, n
	return m
}
