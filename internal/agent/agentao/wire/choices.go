package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// labels are the members in which models put the text of a choice that is an
// object. The best is first.
var labels = []string{"label", "name", "title", "text", "option", "value", "id", "description"}

// choices returns the choices of a question. Agentao passes on what its model
// wrote, which need not be the requested list of strings.
func choices(options agent.Raw) (found []string) {
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			found = append(found, text)
		}
	}
	switch {
	case len(options) == 0:
	case options[0] == '[':
		for element := range rawjson.Elements(options) {
			add(choice(element))
		}
	case options[0] == '{':
		for o := rawjson.Walk(options); ; {
			name, _, ok := o.Next()
			if !ok {
				break
			}
			add(rawjson.String(name).String())
		}
	default:
		add(choice(options))
	}
	return found
}

// choice returns the text of one choice. If it has no text, its JSON is
// returned.
func choice(value agent.Raw) string {
	switch {
	case string(value) == "null":
		return ""
	case value[0] == '"':
		text, err := rawjson.Parse(value)
		if err != nil {
			return ""
		}
		return text.String()
	case value[0] != '{':
		return string(value)
	}
	members := make(map[string]agent.Raw)
	for o := rawjson.Walk(value); ; {
		name, member, ok := o.Next()
		if !ok {
			break
		}
		members[rawjson.String(name).String()] = member
	}
	for _, label := range labels {
		if member := members[label]; len(member) > 0 && member[0] == '"' {
			if text := choice(member); strings.TrimSpace(text) != "" {
				return text
			}
		}
	}
	return string(value)
}
