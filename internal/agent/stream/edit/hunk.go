package edit

import (
	"slices"
	"strings"
)

// maxHunks limits the time that a patch takes: each hunk is searched for in the
// whole file.
const maxHunks = 256

// A hunk replaces lines of a file. Lines have no line endings.
type hunk struct {
	under   string   // a line that precedes the hunk somewhere, or ""
	start   int      // expected line, from 0; -1 if unknown
	old     []string // the lines that must be in the file
	text    []string // the lines that replace them
	stays   []int    // for each line of text, its index in old, or -1
	changes bool
	atEnd   bool // the hunk must be at the end of the file
	noEnd   bool // the last new line has no newline
}

// keep adds an unchanged line.
func (h *hunk) keep(line string) {
	h.stays = append(h.stays, len(h.old))
	h.old = append(h.old, line)
	h.text = append(h.text, line)
}

func (h *hunk) remove(line string) {
	h.old = append(h.old, line)
	h.changes = true
}

func (h *hunk) add(line string) {
	h.text, h.stays = append(h.text, line), append(h.stays, -1)
	h.changes = true
}

// A patch applies hunks one after the other.
type patch struct {
	hunks []hunk
	loose bool // trailing white space may differ, and the file ends with a newline
}

func (p *patch) apply(text string, exists bool) (string, error) {
	switch {
	case !exists:
		return "", ErrMissing
	case len(p.hunks) > maxHunks:
		return "", ErrNotFound
	}
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	body, ended := strings.CutSuffix(text, end)
	var file []string
	if text != "" {
		file = strings.Split(body, end)
	}
	from, shift := 0, 0
	noEnd := text != "" && !ended
	for i := range p.hunks {
		h := &p.hunks[i]
		at, err := p.find(file, from, shift, h)
		if err != nil {
			return "", err
		}
		unchanged := h.unchanged(file[at : at+len(h.old)])
		if at+len(h.old) == len(file) && len(h.old)+len(h.text) > 0 {
			noEnd = h.noEnd || noEnd && h.keepsEnd()
		}
		file = slices.Replace(file, at, at+len(h.old), unchanged...)
		from = at + len(unchanged)
		shift += len(unchanged) - len(h.old)
	}
	if len(file) == 0 {
		return "", nil
	}
	out := strings.Join(file, end)
	if p.loose || !noEnd {
		out += end
	}
	return out, nil
}

// keepsEnd reports whether the hunk keeps the file's last line.
func (h *hunk) keepsEnd() bool {
	n := len(h.stays)
	return n > 0 && h.stays[n-1] >= 0 && h.stays[n-1] == len(h.old)-1
}

// unchanged returns the new lines. Unchanged lines are taken from the file, where
// trailing white space may differ.
func (h *hunk) unchanged(there []string) []string {
	out := slices.Clone(h.text)
	for i, at := range h.stays {
		if at >= 0 {
			out[i] = there[at]
		}
	}
	return out
}

// find returns the line at which a hunk applies.
func (p *patch) find(file []string, from, shift int, h *hunk) (int, error) {
	if h.under != "" {
		at := slices.IndexFunc(file[from:], func(line string) bool { return strings.TrimSpace(line) == strings.TrimSpace(h.under) })
		if at < 0 {
			return 0, ErrNotFound
		}
		from += at + 1
	}
	if len(h.old) == 0 {
		return p.insert(file, from, shift, h)
	}
	for _, same := range p.matches() {
		var found []int
		for at := from; at+len(h.old) <= len(file); at++ {
			if (!h.atEnd || at+len(h.old) == len(file)) && slices.EqualFunc(file[at:at+len(h.old)], h.old, same) {
				found = append(found, at)
			}
		}
		if len(found) > 0 {
			return nearest(found, h.start+shift, h.start >= 0), nil
		}
	}
	return 0, ErrNotFound
}

// insert returns the place of a hunk that only adds lines. In the "*** Begin
// Patch" format, that is the end of the file. After a named line, tools differ.
func (p *patch) insert(file []string, from, shift int, h *hunk) (int, error) {
	at := len(file)
	switch {
	case h.start >= 0:
		at = h.start + shift
	case h.under != "":
		return 0, ErrAmbiguous
	}
	if at < from || at > len(file) {
		return 0, ErrNotFound
	}
	return at, nil
}

func (p *patch) matches() []func(a, b string) bool {
	exact := func(a, b string) bool { return a == b }
	if !p.loose {
		return []func(a, b string) bool{exact}
	}
	return []func(a, b string) bool{exact, func(a, b string) bool { return strings.TrimRight(a, " \t\r") == strings.TrimRight(b, " \t\r") }}
}

// nearest returns the place closest to where the hunk should be, or the first
// place if that is unknown.
func nearest(found []int, want int, known bool) int {
	best := found[0]
	for _, at := range found {
		if known && distance(at, want) < distance(best, want) {
			best = at
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// stated returns the old and new lines of each hunk, including unchanged ones.
func (p *patch) stated() []Result {
	var out []Result
	for i := range p.hunks {
		old := joined(p.hunks[i].old)
		out = append(out, Result{Old: &old, New: joined(p.hunks[i].text)})
	}
	return out
}

// joined returns the lines as one text, with a newline after each.
func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
