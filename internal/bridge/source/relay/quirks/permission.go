package quirks

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// kinds are ACP's kinds of permission options.
var kinds = []string{"allow_once", "allow_always", "reject_once", "reject_always"}

// maxOptions bounds a request's options. No user reads that many.
const maxOptions = 64

// Permission returns the params of a permission request with the table's repairs. ok is
// false if the request must be refused, because nothing can be chosen or because two
// options share an id.
func (s *Session) Permission(params []byte) (out []byte, ok bool) {
	if s == nil {
		return params, true
	}
	s.mid = false
	if len(params) == 0 || params[0] != '{' {
		return params, s.table.Options == nil
	}
	if call, _, _ := rawmsg.Member(params, "toolCall"); len(call) > 0 && call[0] == '{' {
		params = rawmsg.Set(params, "toolCall", s.asked(call))
	}
	if s.table.Options == nil {
		return params, true
	}
	options, _, _ := rawmsg.Member(params, "options")
	known, ok := s.table.known(options)
	return rawmsg.Set(params, "options", known), ok
}

// asked returns the call that a permission request is about, completed from earlier
// updates, so that the user sees what to permit.
func (s *Session) asked(body []byte) []byte {
	id := rawmsg.MemberText(body, "toolCallId")
	c := s.calls[id]
	if c == nil || c.ended {
		c = s.remember(id)
	}
	if isMissing(body, "rawInput") && c.input != nil {
		body = rawmsg.Set(body, "rawInput", c.input)
	}
	return s.described(c, body)
}

// known returns the options whose meaning is known. ok is false for no options or too
// many, or if two share an id, which the agent could take for either.
func (t *Table) known(options []byte) (list []byte, ok bool) {
	list = []byte{'['}
	var ids []string
	if len(options) > 0 && options[0] == '[' {
		for option := range rawjson.Elements(options) {
			if option[0] != '{' {
				continue
			}
			id, kind := rawmsg.MemberText(option, "optionId"), t.kindOf(option)
			if slices.Contains(ids, id) || len(ids) == maxOptions {
				return []byte("[]"), false
			}
			ids = append(ids, id)
			if id == "" || kind == "" {
				continue
			}
			if len(list) > 1 {
				list = append(list, ',')
			}
			list = append(list, rawmsg.Set(option, "kind", rawmsg.Quote(kind))...)
		}
	}
	return append(list, ']'), len(list) > 1
}

// kindOf returns the kind of an option. It returns "" if it is unknown what the option
// permits: neither the agent nor the table says so, or they contradict each other.
func (t *Table) kindOf(option []byte) string {
	known := t.Options[rawmsg.MemberText(option, "optionId")]
	kind, _, _ := rawmsg.Member(option, "kind")
	if kind == nil || string(kind) == "null" {
		return known
	}
	given := rawmsg.Text(kind)
	if !slices.Contains(kinds, given) || known != "" && permits(known) != permits(given) {
		return ""
	}
	return given
}

func permits(kind string) bool { return strings.HasPrefix(kind, "allow_") }
