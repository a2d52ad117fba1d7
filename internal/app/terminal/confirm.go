package terminal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// kindKeys are the keys for the four kinds of option.
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
	id        jsonrpc2.ID
	tool      *toolCall
	choices   []choice
	listed    bool // the choices are numbered rows
	chosen    *choice
	by        string // the other client that chose
	withdrawn bool   // the request was withdrawn
	over      bool   // because the turn ended
	detaches  bool   // Esc leaves the session, because the turn belongs to other clients
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

// isListed reports whether the kinds don't distinguish the options, because two have the
// same kind or one has a kind without a key. Then the options' names are listed.
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

// listKeys are the keys for listed choices.
const listKeys = "123456789abcdefghijklmnopqrstuvwxyz"

// number assigns a key to each option, in the agent's order.
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

// isStock reports whether an option's name adds nothing to its kind.
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

func (c *confirm) rows(st style, ready bool) []string {
	if !ready {
		st.colour = false
	}
	var rows, parts []string
	for _, ch := range c.choices {
		switch {
		case c.listed && ready:
			rows = append(rows, "  "+st.accent(string(ch.char)+".")+" "+ch.label+st.dim(means(ch.option.Kind)))
		case c.listed:
			rows = append(rows, "  –  "+ch.label+means(ch.option.Kind))
		case ready:
			parts = append(parts, bracket(st, ch.char, ch.label))
		default:
			parts = append(parts, ch.label)
		}
	}
	escape := "Esc cancels"
	if c.detaches {
		escape = "Esc detaches"
	}
	parts = append(parts, st.dim(escape))
	return append(rows, st.yellow("Allow?")+"  "+strings.Join(parts, "  "))
}

// means explains the kind of an option, whatever the option's name is.
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
	case c.by != "" && k.code == keyChar:
		return ignored
	case k.code == keyEscape, k.code == keyInterrupt:
		return cancelTurn
	case k.code == keyEnd:
		c.choose(func(ch choice) bool { return ch.option.Kind == v1.RejectOnce })
		return decided
	case k.code == keyChar && !k.burst && c.choose(func(ch choice) bool { return ch.char == k.char }):
		return decided
	}
	return ignored
}

// choose selects the first choice that fits.
func (c *confirm) choose(fits func(choice) bool) bool {
	i := slices.IndexFunc(c.choices, fits)
	if i >= 0 {
		c.chosen = &c.choices[i]
	}
	return i >= 0
}

// answeredBy records what another client chose.
func (c *confirm) answeredBy(client, option string) {
	c.by = client
	c.choose(func(ch choice) bool { return ch.option.OptionID == option && option != "" })
}

func (c *confirm) withdraw(over bool) { c.withdrawn, c.over = true, over }

// answer never repeats the choice of another client, because this user didn't agree to
// it.
func (c *confirm) answer() any {
	if c.chosen != nil && c.by == "" {
		return selected(c.chosen.option)
	}
	return unselected()
}

// allowed reports whether the call may run. A withdrawn request doesn't count as a
// refusal by this user.
func (c *confirm) allowed() bool {
	if c.chosen == nil {
		return c.withdrawn && c.by == ""
	}
	return allows(c.chosen.option.Kind)
}

// decider returns who refused the call.
func (c *confirm) decider() string {
	if c.by != "" {
		return "by " + c.by
	}
	return "by the user"
}

func (c *confirm) outcome(st style) string {
	label, by := "not allowed", ""
	if c.chosen != nil {
		label = c.chosen.label
	}
	if c.by != "" {
		by = st.dim(" (answered by " + c.by + ")")
	}
	switch {
	case c.chosen == nil && c.withdrawn && c.by == "":
		return withdrawal(st, c.over)
	case c.allowed():
		return st.green(label) + by
	}
	return st.yellow(label) + by
}

// withdrawal is the outcome of a withdrawn prompt.
func withdrawal(st style, over bool) string {
	if over {
		return ""
	}
	return st.dim("withdrawn")
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

// optionOf returns the first option of a kind. It never falls back to another kind: a
// user who passed --yes hasn't agreed to "always".
func optionOf(options []v1.PermissionOption, kind v1.PermissionOptionKind) (v1.PermissionOption, bool) {
	for _, o := range options {
		if o.Kind == kind {
			return o, true
		}
	}
	return v1.PermissionOption{}, false
}

// rejection returns the response with --deny, or if the user can't be asked.
func rejection(options []v1.PermissionOption) v1.RequestPermissionResponse {
	if o, ok := optionOf(options, v1.RejectOnce); ok {
		return selected(o)
	}
	return unselected()
}

// whyNot returns why a call is refused if the user can't be asked. --allow doesn't choose
// between several options.
func whyNot(options []v1.PermissionOption) string {
	once := 0
	for _, o := range options {
		if o.Kind == v1.AllowOnce {
			once++
		}
	}
	switch once {
	case 0:
		return "because it has no option to allow once, and the user cannot be asked"
	case 1:
		return "because the user cannot be asked (use --yes or --allow)"
	}
	return fmt.Sprintf("because %d options allow it once, and the user cannot be asked which (--yes selects the first)", once)
}
