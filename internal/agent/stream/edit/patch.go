package edit

import "strings"

// Patch returns the changes of a patch, in the "*** Begin Patch" format or as
// a unified diff. path is the file of a unified diff without file names.
// Patch returns nil if text is neither.
func Patch(text, path string) []Change {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if _, body, ok := strings.Cut(text, "*** Begin Patch\n"); ok {
		return envelope(body)
	}
	return unified(text, path)
}

const (
	addFile    = "*** Add File: "
	deleteFile = "*** Delete File: "
	updateFile = "*** Update File: "
	moveTo     = "*** Move to: "
	endOfFile  = "*** End of File"
	endPatch   = "*** End Patch"
)

// envelope parses what follows "*** Begin Patch". It returns nil if the patch
// is malformed.
func envelope(body string) []Change {
	r := reader{lines: strings.Split(strings.TrimSuffix(body, "\n"), "\n")}
	var out []Change
	for len(out) < maxChanges {
		line, ok := r.next()
		if !ok || strings.TrimSpace(line) == endPatch {
			return out
		}
		var c Change
		switch {
		case strings.HasPrefix(line, addFile):
			text, ok := r.added()
			if !ok {
				return nil
			}
			c = Change{Path: line[len(addFile):], steps: []step{&created{text, true}}}
		case strings.HasPrefix(line, deleteFile):
			c = Change{Path: line[len(deleteFile):], deletes: true}
		case strings.HasPrefix(line, updateFile):
			c.Path = line[len(updateFile):]
			if next, ok := r.peek(); ok && strings.HasPrefix(next, moveTo) {
				c.MoveTo = strings.TrimSpace(next[len(moveTo):])
				r.at++
			}
			hunks, ok := r.hunks()
			if !ok || len(hunks) == 0 && c.MoveTo == "" {
				return nil
			}
			c.steps = []step{&patch{hunks: hunks, loose: true}}
		case strings.TrimSpace(line) == "":
			continue
		default:
			return nil
		}
		if c.Path = strings.TrimSpace(c.Path); c.Path == "" {
			return nil
		}
		out = append(out, c)
	}
	return nil
}

// added reads the lines of a new file.
func (r *reader) added() (text string, ok bool) {
	var b strings.Builder
	for {
		line, ok := r.peek()
		if !ok || strings.HasPrefix(line, "*** ") {
			return b.String(), true
		}
		if !strings.HasPrefix(line, "+") {
			return "", false
		}
		b.WriteString(line[1:] + "\n")
		r.at++
	}
}

// hunks reads the changes of one file.
func (r *reader) hunks() (out []hunk, ok bool) {
	for {
		line, ok := r.peek()
		if !ok || strings.HasPrefix(line, "*** ") && line != endOfFile {
			return out, true
		}
		h := hunk{start: -1}
		switch {
		case line == "@@":
			r.at++
		case strings.HasPrefix(line, "@@ "):
			h.under = line[3:]
			r.at++
		case len(out) > 0:
			return nil, false // only the first hunk may lack the @@ line
		}
		if !r.body(&h) {
			return nil, false
		}
		out = append(out, h)
	}
}

// body reads the lines of a hunk, up to the first other line.
func (r *reader) body(h *hunk) bool {
	for {
		line, ok := r.peek()
		switch {
		case !ok:
		case line == "":
			h.keep("") // an empty line that lost its leading space
			r.at++
			continue
		case line[0] == ' ':
			h.keep(line[1:])
			r.at++
			continue
		case line[0] == '-':
			h.remove(line[1:])
			r.at++
			continue
		case line[0] == '+':
			h.add(line[1:])
			r.at++
			continue
		case line == endOfFile:
			h.atEnd = true
			r.at++
		}
		return h.changes
	}
}

// A reader iterates over the lines of a patch.
type reader struct {
	lines []string
	at    int
}

func (r *reader) peek() (string, bool) {
	if r.at >= len(r.lines) {
		return "", false
	}
	return r.lines[r.at], true
}

func (r *reader) next() (string, bool) {
	line, ok := r.peek()
	r.at++
	return line, ok
}
