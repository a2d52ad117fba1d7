package quirks

import "strings"

// maxMarked bounds a chunk that is checked for marks, in bytes.
const maxMarked = 64 << 10

// chunk returns the steps for a message chunk: text, a notice, or nothing yet.
func (s *Session) chunk(body []byte) []Step {
	text := textOf(body)
	if text == "" {
		s.mid = false
		return s.behindHeld(body)
	}
	if len(body) > maxMarked {
		return s.text(body, text)
	}
	if _, is := s.table.reason(text); is {
		steps := s.behindHeld(nil)
		s.hold(body)
		return steps
	}
	if !s.mid {
		if n := s.table.notice(text); n != nil {
			return append(s.behindHeld(nil), Step{Notice: n})
		}
	}
	return s.text(body, text)
}

func (s *Session) text(body []byte, text string) []Step {
	s.mid = !strings.HasSuffix(text, "\n")
	return s.behindHeld(body)
}

// reason returns the reason that a chunk gives for the end of the turn.
func (t *Table) reason(text string) (reason string, is bool) {
	if t.ErrorPrefix == "" {
		return "", false
	}
	reason, is = strings.CutPrefix(strings.TrimLeft(text, "\n"), t.ErrorPrefix)
	reason = strings.TrimSpace(reason)
	return reason, is && reason != ""
}

// notice converts a chunk of exactly one line with a known prefix to a notice. It
// returns nil for other chunks.
func (t *Table) notice(text string) *Notice {
	line, whole := strings.CutSuffix(text, "\n")
	if !whole || strings.Contains(line, "\n") {
		return nil
	}
	for _, m := range t.Notices {
		message, is := strings.CutPrefix(line, m.Prefix)
		if is && strings.TrimSpace(message) != "" {
			return &Notice{Severity: m.Severity, Message: message}
		}
	}
	return nil
}
