package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// An inquiry is an agent's question with more than a few options. Users may also answer
// in their own words, so an answer need not be an option.
type inquiry struct {
	fields map[string]func(json.RawMessage) bool // by name: whether a value is valid
	needs  []string                              // the fields that need a value
}

// twice ends the ids of requests that an agent makes twice.
const twice = "again"

// inquire asks something.
func (t *turn) inquire() {
	id := fmt.Sprintf("question-%s.%d", t.token, t.skilled.IntN(1e6))
	t.actor.mu.Lock()
	forms := t.actor.forms[t.session]
	t.actor.mu.Unlock()
	switch n := t.skilled.IntN(10); {
	case n < 3:
		t.askForm(id, forms)
	case n < 4 && forms:
		t.askChoices(id)
	case n < 4:
		t.misuseEditor()
	case n < 6:
		t.askPage(id)
	case n < 7:
		t.askInVain(id, t.actor.language.question, func(string) string {
			return line(object{"type": "question_answered", "questionId": id, "answer": "this"})
		})
	case n < 8:
		t.askTwice(id)
	default:
		t.askCommand()
	}
}

// inquireWith waits for the answer to a question.
func (t *turn) inquireWith(id string, i *inquiry, question object) {
	t.actor.mu.Lock()
	t.actor.inquiries[id] = i
	t.actor.mu.Unlock()
	question["type"], question["questionId"], question["question"] = "question", id, "How? ("+id+")"
	t.wait(id, func(*turn, string) string { return line(question) })
}

// A field is one that agents ask for.
type field struct {
	spec  object
	valid func(json.RawMessage) bool
}

// read returns a check for values of a type.
func read[T any](valid func(T) bool) func(json.RawMessage) bool {
	return func(raw json.RawMessage) bool {
		var v T
		return exactjson.Unmarshal(raw, &v) == nil && valid(v)
	}
}

// fields are the fields of forms.
var fields = []field{
	{object{"name": "for", "type": "string", "format": "email", "minLength": 3, "maxLength": 80, "required": true, "description": "whom"}, read(func(v string) bool { return len(v) >= 3 && len(v) <= 80 })},
	{object{"name": "key", "secret": true}, read(func(string) bool { return true })},
	{object{"name": "cups", "type": "integer", "minimum": 1, "maximum": 12, "default": 2}, read(func(v int) bool { return v >= 1 && v <= 12 })},
	{object{"name": "litres", "type": "number", "minimum": 0.5, "required": true}, read(func(v float64) bool { return v >= 0.5 })},
	{object{"name": "hot", "type": "boolean", "default": true}, read(func(bool) bool { return true })},
	{object{"name": "leaf", "required": true, "default": "assam", "options": []object{{"value": "assam", "title": "Assam", "description": "Strong"}, {"value": "ceylon"}}}, read(func(v string) bool { return v == "assam" || v == "ceylon" })},
	{object{"name": "with", "type": "choices", "minItems": 1, "maxItems": 2, "options": []object{{"value": "milk"}, {"value": "sugar"}, {"value": "lemon"}}}, read(func(v []string) bool {
		return (len(v) == 1 || len(v) == 2 && v[0] != v[1]) && !slices.ContainsFunc(v, func(one string) bool { return one != "milk" && one != "sugar" && one != "lemon" })
	})},
}

// askForm asks for values. A client without forms may be asked with a few choices, but not for
// a text, because the next prompt would be the answer.
func (t *turn) askForm(id string, forms bool) {
	i := &inquiry{fields: make(map[string]func(json.RawMessage) bool)}
	var specs []object
	order := t.skilled.Perm(len(fields))[:1+t.skilled.IntN(4)]
	if len(order) == 1 && !forms {
		order[0] = [...]int{1, 4, 5}[order[0]%3]
	}
	for _, n := range order {
		f := fields[n]
		name := fmt.Sprint(f.spec["name"])
		specs, i.fields[name] = append(specs, f.spec), f.valid
		if f.spec["required"] == true {
			i.needs = append(i.needs, name)
		}
	}
	t.inquireWith(id, i, object{"fields": specs, "header": "Tea"})
}

// askChoices asks which of several options the user wants.
func (t *turn) askChoices(id string) {
	t.inquireWith(id, new(inquiry), object{"options": []string{"A", "B", "C", "D"}, "multiple": t.skilled.IntN(2) == 0, "allowCustom": t.skilled.IntN(2) == 0})
}

// askPage sends the user to a page, and says later that the user is done there.
func (t *turn) askPage(id string) {
	t.inquireWith(id, new(inquiry), object{"url": "https://example.com/log in?for=%41&by=" + id})
	if !t.isOver() {
		t.write(line(object{"type": "question_answered", "questionId": id}))
	}
}

// askInVain asks something, and soon does not wait for the answer any more.
func (t *turn) askInVain(subject string, ask func(*turn, string) string, end func(string) string) {
	c := t.actor
	w := &waiting{turn: t, subject: subject, answer: make(chan bool, 1)}
	c.mu.Lock()
	c.open[subject] = w
	c.mu.Unlock()
	t.log(&event{kind: asked, actor: c, session: t.session, turn: t.token, subject: subject}, func() string { return ask(t, subject) })
	if t.pause(3e9); t.isOver() {
		return
	}
	c.mu.Lock()
	waits := c.open[subject] != nil
	delete(c.open, subject)
	c.resolved[subject] = waits
	c.mu.Unlock()
	var e *event
	if waits {
		e = &event{kind: resolved, actor: c, session: t.session, turn: t.token, subject: subject}
	}
	t.log(e, func() string { return end(subject) })
}

// askTwice makes two requests that one answer could match.
func (t *turn) askTwice(id string) {
	ask := t.actor.language.question
	if id += twice; t.skilled.IntN(2) == 0 {
		ask, id = t.actor.language.permission, t.newCall()+twice
	}
	t.wait(id, func(t *turn, id string) string { return ask(t, id) + ask(t, id) })
	t.pause(1e9)
	if !strings.HasPrefix(id, "question-") && !t.isOver() {
		t.write(t.actor.language.end(t, id, false))
	}
}

// ownOptions are an agent's own options of a permission request.
var ownOptions = []object{
	{"id": "yes", "name": "Yes", "kind": "allow_once"}, {"id": "folder", "name": "Yes, in this folder", "kind": "allow_always"}, {"id": "no", "kind": "reject_once"},
}

// askCommand asks whether it may run a command.
func (t *turn) askCommand() {
	call := t.newCall()
	command := [...]any{
		"make test", []string{"make", "all tests"}, "echo '```'\nmake", "echo " + strings.Repeat("long ", 1000), []string{"make", ""},
	}[t.skilled.IntN(5)]
	args := object{"command": command}
	if t.skilled.IntN(2) == 0 {
		args["path"] = "a.txt"
	}
	about := object{"toolCallId": call, "toolName": "bash", "kind": "execute", "args": args, "locations": []object{{"path": "sub/a.txt"}, {"path": "/work/b.txt", "line": 2}}}
	ask := func(*turn, string) string {
		about["type"], about["reason"] = "tool_confirmation_request", "to see"
		if t.skilled.IntN(2) == 0 {
			about["options"] = ownOptions[:2+t.skilled.IntN(2)]
		}
		return line(about)
	}
	end := func(string) string {
		if t.skilled.IntN(2) == 0 {
			return line(object{"type": "tool_confirmation_resolved", "toolCallId": call, "decision": "reject_once"})
		}
		return ""
	}
	if t.skilled.IntN(3) == 0 {
		t.askInVain(call, ask, func(call string) string { return end(call) + t.actor.language.end(t, call, false) })
		return
	}
	ok := t.wait(call, ask)
	if t.isOver() {
		return
	}
	if ok {
		about["type"] = "tool_start"
		t.write(line(about))
	}
	t.write(t.actor.language.end(t, call, ok))
}

// misuseEditor sends requests to the editor, of which some are mistaken.
func (t *turn) misuseEditor() {
	id := t.editor(object{"action": "create_terminal", "command": "make", "cwd": "sub"})
	for _, o := range []object{
		{"action": "wait_for_terminal", "terminalId": id},
		{"action": "terminal_output", "terminalId": id},
		{"action": "read_file"},
		{"action": "write_file", "text": "new"},
		{"action": "create_terminal"},
		{"action": "release_terminal", "terminalId": id},
		{"action": "no_such_action"},
	} {
		if t.skilled.IntN(2) == 0 {
			t.editor(o)
		}
	}
	if t.isOver() {
		return
	}
	again := fmt.Sprintf("question-%s.editor%s", t.token, twice)
	t.wait(again, func(*turn, string) string {
		return strings.Repeat(line(object{"type": "editor_request", "requestId": again, "action": "read_file", "path": "a.txt"}), 2)
	})
	t.pause(1e9)
}

// checkAnswer returns an error if the answer to an inquiry does not fit it, or if no client gave
// one.
func (c *actor) checkAnswer(id string, text []byte) error {
	var r agent.QuestionResponse
	if err := exactjson.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	c.mu.Lock()
	i := c.inquiries[id]
	c.mu.Unlock()
	c.world.mu.Lock()
	accepted := c.world.accepted[id]
	c.world.mu.Unlock()
	switch {
	case i == nil:
		return nil
	case r.Cancelled && (r.Answer != "" || len(r.Answers)+len(r.Values) > 0):
		return fmt.Errorf("the question %s is not answered, but has an answer: %s", id, text)
	case r.Cancelled:
		return nil
	case !accepted:
		return fmt.Errorf("the question %s is answered, but not by a client: %s", id, text)
	}
	for name, value := range r.Values {
		if valid := i.fields[name]; valid == nil || !valid(value) {
			return fmt.Errorf("the value %s of the answer to %s is invalid: %s", name, id, value)
		}
	}
	for _, name := range i.needs {
		if r.Values[name] == nil {
			return fmt.Errorf("the answer to %s has no value %s: %s", id, name, text)
		}
	}
	return nil
}
