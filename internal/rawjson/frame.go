package rawjson

// A Frame matches lines that differ only in one string and in values that nobody reads,
// such as sequence numbers and times. Streams repeat such lines thousands of times, each
// with a different text. Comparing a line with the frame is several times cheaper than
// walking over its members. The zero Frame matches nothing.
type Frame struct {
	fixed  []byte // the text between the values, concatenated
	gaps   []gap
	others [][]byte // values of the last match
}

// A gap is the position of a value that may vary.
type gap struct {
	at   int  // index in fixed after the text before the gap
	body bool // the gap is the string; its quotation marks are in fixed
	null bool // the value was null, and only matches null
}

// A Span is the position of a value in a line, as byte offsets.
type Span struct{ From, To int }

// Limits for what a frame stores and compares.
const (
	maxFrame  = 1 << 10 // bytes
	maxOthers = 16
)

// frameDepth limits the nesting of values that vary. Together with the nesting in
// maxFrame bytes around them, it stays within maxDepth.
const frameDepth = maxDepth - maxFrame

// Learn makes f match lines that differ from line only in the string token at body and in
// the values at others, which must be in ascending order. A null matches only null, and
// any other value doesn't match null, because decoders treat null as absent. The line
// must be one object; see [Object.Span].
func (f *Frame) Learn(line []byte, body Span, others ...Span) {
	f.Forget()
	if line[body.From] != '"' || len(others) > maxOthers {
		return
	}
	body.From, body.To = body.From+1, body.To-1
	at := 0
	add := func(s Span, isBody bool) bool {
		if s.From < at || len(f.fixed)+s.From-at > maxFrame {
			return false
		}
		f.fixed = append(f.fixed, line[at:s.From]...)
		f.gaps = append(f.gaps, gap{len(f.fixed), isBody, line[s.From] == 'n'})
		at = s.To
		return true
	}
	ok, found := true, false
	for _, o := range others {
		if !found && o.From > body.From {
			ok, found = ok && add(body, true), true
		}
		ok = ok && add(o, false)
	}
	ok = ok && (found || add(body, true))
	if !ok || len(f.fixed)+len(line)-at > maxFrame {
		f.Forget()
		return
	}
	f.fixed = append(f.fixed, line[at:]...)
}

// Forget makes f match nothing until the next Learn.
func (f *Frame) Forget() { f.fixed, f.gaps = f.fixed[:0], f.gaps[:0] }

// Match returns the string and the other values of a line that f matches. They are parts
// of the line. The slice of others is valid until the next match. The result is the same
// as that of a [Walk] over the line. Lines whose other values contain lone surrogates
// don't match.
func (f *Frame) Match(line []byte) (body String, others [][]byte, ok bool) {
	if len(f.gaps) == 0 {
		return nil, nil, false
	}
	f.others = f.others[:0]
	from, at := 0, 0 // in fixed and in line
	for _, g := range f.gaps {
		part := f.fixed[from:g.at]
		if len(line)-at < len(part) || string(line[at:at+len(part)]) != string(part) {
			return nil, nil, false
		}
		from, at = g.at, at+len(part)
		if g.body {
			end, _ := scanString(line, at-1)
			if end < 0 {
				return nil, nil, false
			}
			body, at = line[at:end-1], end-1
			continue
		}
		end, lone := scanValue(line, at, frameDepth)
		if end < 0 || lone || g.null != (line[at] == 'n') {
			return nil, nil, false
		}
		f.others = append(f.others, line[at:end])
		at = end
	}
	if string(line[at:]) != string(f.fixed[from:]) {
		return nil, nil, false
	}
	return body, f.others, true
}
