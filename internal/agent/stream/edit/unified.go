package edit

import (
	"strconv"
	"strings"
)

// unified parses a unified diff, as printed by diff -u or git. It returns nil
// if text is not a diff or is malformed.
func unified(text, path string) []Change {
	r := reader{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	var out []Change
	for len(out) < maxChanges {
		from, to, ok := r.names(path)
		if !ok {
			return out
		}
		c := Change{Path: to}
		p := &patch{}
		for {
			line, more := r.peek()
			if !more || !strings.HasPrefix(line, "@@ ") {
				break
			}
			h, ok := r.counted()
			if !ok {
				return nil
			}
			p.hunks = append(p.hunks, h)
		}
		switch {
		case len(p.hunks) == 0:
			return nil
		case from == "":
			c.steps = []step{&created{text: p.hunks[0].join()}}
		case to == "":
			c.Path, c.deletes = from, true
		default:
			c.steps = []step{p}
			if from != to {
				c.Path, c.MoveTo = from, to
			}
		}
		out = append(out, c)
	}
	return nil
}

// names reads up to and including the next file names. A name is "" for
// /dev/null. Hunks without names belong to path.
func (r *reader) names(path string) (from, to string, ok bool) {
	for {
		line, more := r.next()
		switch {
		case !more:
			return "", "", false
		case strings.HasPrefix(line, "@@ -") && path != "":
			r.at--
			return path, path, true
		case strings.HasPrefix(line, "--- "):
			next, more := r.next()
			if !more || !strings.HasPrefix(next, "+++ ") {
				return "", "", false
			}
			from, to = fileName(line[4:]), fileName(next[4:])
			if strings.HasPrefix(from, "a/") && strings.HasPrefix(to, "b/") || from == "" && strings.HasPrefix(to, "b/") ||
				to == "" && strings.HasPrefix(from, "a/") {
				from, to = from[min(2, len(from)):], to[min(2, len(to)):]
			}
			return from, to, from != "" || to != ""
		}
	}
}

// fileName drops the timestamp after a name, and returns "" for /dev/null.
func fileName(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	if s = strings.TrimSpace(s); s == "/dev/null" {
		return ""
	}
	return s
}

// counted reads a hunk whose header gives its number of lines.
func (r *reader) counted() (h hunk, ok bool) {
	head, _ := r.next()
	fields := strings.Fields(head)
	if len(fields) < 4 || fields[3] != "@@" {
		return h, false
	}
	start, old, okOld := span(fields[1], "-")
	_, text, okText := span(fields[2], "+")
	if !okOld || !okText {
		return h, false
	}
	h.start = start - 1
	if old == 0 {
		h.start = start // an empty range names the line before it
	}
	last := byte(0)
	for len(h.old) < old || len(h.text) < text {
		line, more := r.next()
		if line != "" {
			last = line[0]
		}
		switch {
		case !more:
			return h, false
		case line == "":
			h.keep("")
		case line[0] == ' ':
			h.keep(line[1:])
		case line[0] == '-':
			h.remove(line[1:])
		case line[0] == '+':
			h.add(line[1:])
		case line[0] == '\\':
		default:
			return h, false
		}
	}
	if line, more := r.peek(); more && strings.HasPrefix(line, `\`) {
		h.noEnd = last != '-'
		r.at++
	}
	return h, len(h.old) == old && len(h.text) == text
}

// span parses a range such as "-12,3". A missing count is 1.
func span(s, mark string) (start, count int, ok bool) {
	s, ok = strings.CutPrefix(s, mark)
	first, rest, has := strings.Cut(s, ",")
	start, err := strconv.Atoi(first)
	count = 1
	if has && err == nil {
		count, err = strconv.Atoi(rest)
	}
	return start, count, ok && err == nil && start >= 0 && count >= 0
}

// join returns the text of a new file.
func (h *hunk) join() string {
	text := joined(h.text)
	if h.noEnd {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}
