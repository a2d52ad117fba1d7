package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// An askedForm is an inquiry as a client is asked it.
type askedForm struct {
	id         string // of the agent's question
	properties map[string]property
}

// A property is a field of a form.
type property struct {
	Type    string   `json:"type"`
	Enum    []string `json:"enum"`
	OneOf   []choice `json:"oneOf"`
	Items   items    `json:"items"`
	Minimum float64  `json:"minimum"`
	Meta    object   `json:"_meta"`
}

type items struct {
	Enum  []string `json:"enum"`
	AnyOf []choice `json:"anyOf"`
}

type choice struct {
	Const string `json:"const"`
}

// inquiryID matches the id of an inquiry in its message.
var inquiryID = regexp.MustCompile(`\((question-[^)]+)\)`)

// inquiryIn returns the id of the inquiry in a message, or "".
func inquiryIn(message string) string {
	if m := inquiryID.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

// readForm returns the inquiry in a request, or nil if it asks something else.
func readForm(line string) *askedForm {
	var m struct {
		Params struct {
			Message string `json:"message"`
			Schema  struct {
				Properties map[string]property `json:"properties"`
			} `json:"requestedSchema"`
		} `json:"params"`
	}
	if err := exactjson.Unmarshal([]byte(line), &m); err != nil || inquiryIn(m.Params.Message) == "" {
		return nil
	}
	return &askedForm{inquiryIn(m.Params.Message), m.Params.Schema.Properties}
}

// accept records that a client accepts an inquiry, unless the id is "".
func (w *World) accept(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.accepted[id] = true
}

// answerInquiry answers an inquiry.
func (c *client) answerInquiry(of *request, f *askedForm, s *Step) string {
	n := s.C / 10
	action := [...]string{"accept", "accept", "accept", "accept", "accept", "decline", "cancel", "bogus"}[n%8]
	result := object{"action": action}
	if action == "accept" {
		c.world.accept(f.id)
		if f.properties != nil {
			content := object{}
			for i, name := range slices.Sorted(maps.Keys(f.properties)) {
				if v := f.properties[name].value(f.id, n/8+uint32(i)*7); v != nil { //nolint:gosec // few properties
					content[name] = v
				}
			}
			result["content"] = content
		}
	}
	c.write(object{"id": json.RawMessage(of.id), "result": result})
	return "answers " + f.id + ": " + action
}

// secretMark begins the secrets that users type.
const secretMark = "secret-"

// value returns a value for a property. It is sometimes invalid. Nil means none.
func (p property) value(id string, n uint32) any {
	wrong := n%5 == 0
	choices := append(slices.Clone(p.Enum), p.Items.Enum...)
	for _, o := range append(slices.Clone(p.OneOf), p.Items.AnyOf...) {
		choices = append(choices, o.Const)
	}
	one := "none"
	if len(choices) > 0 && !wrong {
		one = choices[n/5%uint32(len(choices))] //nolint:gosec // few choices
	}
	switch {
	case n%11 == 0:
		return nil
	case p.Type == "boolean":
		return [...]any{n%2 == 0, "perhaps"}[n%5/4]
	case p.Type == "integer" && wrong:
		return [...]any{1.5, "3", 99, -1}[n/5%4]
	case p.Type == "integer":
		return [...]any{3, json.Number("4.0"), json.Number("1e1")}[n/5%3]
	case p.Type == "number" && wrong:
		return [...]any{"x", -1}[n/5%2]
	case p.Type == "number":
		return p.Minimum + float64(n%10)
	case p.Type == "array" && n%5 == 1:
		return choices // perhaps too many
	case p.Type == "array":
		return []string{one, one}
	case len(choices) > 0:
		return one
	case p.Meta["turnwire.dev/secret"] == true:
		return secretMark + id
	case wrong:
		return [...]any{"", 5, strings.Repeat("long", 30)}[n/5%3]
	}
	return fmt.Sprintf("a%d@example.com", n)
}

// answerInquiry lets an AHP client draft or give an answer to an inquiry.
func (m *mirror) answerInquiry(name, id string, request *ahp.InputRequest, s *Step) string {
	answers := object{}
	for i, q := range request.Questions {
		n := s.B + uint32(i)*7 //nolint:gosec // few questions
		answer := answerTo(&q, fmt.Sprintf("a%d@example.com", n), n)
		if n%3 == 0 { // as VS Code does
			typed := [...]string{"3", "yes", "", "no", "milk", "x", "0.75"}[n/3%7]
			answer = object{"state": "submitted", "value": object{"kind": "text", "value": typed}}
		}
		if n%13 == 0 {
			answer = object{"state": "submitted", "value": object{"kind": "text", "value": "", "freeformValues": []string{"free"}}}
		}
		answers[q.ID] = answer
	}
	response := [...]string{ahp.Accept, ahp.Accept, ahp.Accept, ahp.Decline, ahp.Cancel}[s.C/4%5]
	if response == ahp.Accept {
		m.world.accept(id)
	}
	m.dispatch(name, object{"type": "chat/inputCompleted", "requestId": request.ID, "response": response, "answers": answers})
	return m.name + " answers " + id + ": " + response
}
