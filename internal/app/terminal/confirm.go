package terminal

import (
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// kindKeys are the keys of the four kinds of option.
var kindKeys = []kindKey{
	{v1.AllowOnce, 'y', "yes, once"},
	{v1.AllowAlways, 'a', "always"},
	{v1.RejectOnce, 'n', "no"},
	{v1.RejectAlways, 'N', "never"},
}

type kindKey struct {
	kind v1.PermissionOptionKind
	char rune
	word string
}

// A confirm asks whether a tool may run.
type confirm struct {
	id      jsonrpc2.ID
	tool    *toolCall
	choices []choice
	listed  bool // the choices are numbered rows
	chosen  *choice
}

// A choice is one option and its key.
type choice struct {
	char   rune
	label  string
	option v1.PermissionOption
}

func newConfirm(m *permissionAsked, tool *toolCall) *confirm {
	c := &confirm{id: m.id, tool: tool}
	if c.listed = isListed(m.request.Options); c.listed {
		c.number(m.request.Options)
		return c
	}
	for _, o := range m.request.Options {
		for _, k := range kindKeys {
			if k.kind != o.Kind {
				continue
			}
			ch := choice{char: k.char, label: k.word, option: o}
			if hint := cleanLine(o.Name); hint != "" && !isStock(hint) {
				ch.label += " (" + hint + ")"
			}
			c.choices = append(c.choices, ch)
		}
	}
	return c
}

// isListed reports whether the kinds do not tell the options apart: two are of
// one kind, or one is of a kind without a key. What to choose is in the names
// then.
func isListed(options []v1.PermissionOption) bool {
	seen := map[v1.PermissionOptionKind]bool{}
	for _, o := range options {
		known := slices.ContainsFunc(kindKeys, func(k kindKey) bool { return k.kind == o.Kind })
		if !known || seen[o.Kind] {
			return true
		}
		seen[o.Kind] = true
	}
	return false
}

// listKeys are the keys of choices in a list. Without q, which cancels.
const listKeys = "123456789abcdefghijklmnoprstuvwxyz"

// number gives each option a key in the order of the agent.
func (c *confirm) number(options []v1.PermissionOption) {
	for i, o := range options {
		if i == len(listKeys) {
			return
		}
		name := cleanLine(o.Name)
		if name == "" {
			name = cleanLine(o.OptionID)
		}
		c.choices = append(c.choices, choice{char: rune(listKeys[i]), label: name, option: o})
	}
}

// isStock reports whether an option's name says no more than its kind does.
func isStock(name string) bool {
	switch strings.ToLower(name) {
	case "allow", "allow once", "yes", "always allow", "allow always", "reject", "reject once", "no", "deny",
		"always reject", "reject always", "never allow", "never":
		return true
	}
	return false
}

func (c *confirm) request() jsonrpc2.ID { return c.id }

func (c *confirm) header(st style) []string {
	rows := []string{st.yellow("?") + " " + st.bold(c.tool.caption())}
	return append(rows, indent("  ", c.tool.proposal(st))...)
}

func (c *confirm) rows(st style) []string {
	if c.listed {
		rows := make([]string, 0, len(c.choices)+1)
		for _, ch := range c.choices {
			rows = append(rows, "  "+st.accent(string(ch.char)+".")+" "+ch.label+st.dim(means(ch.option.Kind)))
		}
		return append(rows, st.yellow("Allow?")+"  "+st.dim("Esc cancels"))
	}
	parts := make([]string, 0, len(c.choices)+1)
	for _, ch := range c.choices {
		parts = append(parts, bracket(st, ch.char, ch.label))
	}
	parts = append(parts, st.dim("Esc cancels"))
	return []string{st.yellow("Allow?") + "  " + strings.Join(parts, "  ")}
}

// means says what choosing an option of a kind means, whatever its name is.
func means(kind v1.PermissionOptionKind) string {
	for _, k := range kindKeys {
		if k.kind == kind {
			return "  (" + k.word + ")"
		}
	}
	return ""
}

// bracket marks the key in a label: [y]es.
func bracket(st style, char rune, label string) string {
	marked := st.accent("[" + string(char) + "]")
	if rest, ok := strings.CutPrefix(label, strings.ToLower(string(char))); ok {
		return marked + rest
	}
	return marked + " " + label
}

func (c *confirm) press(k key) verdict {
	switch {
	case k.code == keyEscape, k.code == keyInterrupt, k.code == keyChar && k.char == 'q':
		return cancelTurn
	case k.code == keyEnd:
		c.choose(func(ch choice) bool { return ch.option.Kind == v1.RejectOnce })
		return decided
	case k.code != keyChar:
		return undecided
	}
	if c.choose(func(ch choice) bool { return ch.char == k.char }) {
		return decided
	}
	return undecided
}

// choose selects the first choice that fits.
func (c *confirm) choose(fits func(choice) bool) bool {
	i := slices.IndexFunc(c.choices, fits)
	if i >= 0 {
		c.chosen = &c.choices[i]
	}
	return i >= 0
}

func (c *confirm) answer() any {
	if c.chosen != nil {
		return selected(c.chosen.option)
	}
	return unselected()
}

func (c *confirm) outcome(st style) string {
	switch {
	case c.chosen == nil:
		return st.yellow("not allowed")
	case allows(c.chosen.option.Kind):
		return st.green(c.chosen.label)
	}
	return st.yellow(c.chosen.label)
}

func allows(kind v1.PermissionOptionKind) bool {
	return kind == v1.AllowOnce || kind == v1.AllowAlways
}

func selected(o v1.PermissionOption) v1.RequestPermissionResponse {
	return v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeSelected, OptionID: o.OptionID}}
}

func unselected() v1.RequestPermissionResponse {
	return v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeCancelled}}
}

// optionOf returns the option of a kind. It never falls back to another kind: a
// user who said --yes has not agreed to "always".
func optionOf(options []v1.PermissionOption, kind v1.PermissionOptionKind) (v1.PermissionOption, bool) {
	for _, o := range options {
		if o.Kind == kind {
			return o, true
		}
	}
	return v1.PermissionOption{}, false
}

// rejection is the answer when the user cannot be asked, or with --deny.
func rejection(options []v1.PermissionOption) v1.RequestPermissionResponse {
	if o, ok := optionOf(options, v1.RejectOnce); ok {
		return selected(o)
	}
	return unselected()
}
