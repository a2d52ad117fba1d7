package ethos

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxTodos bounds the plan.
const maxTodos = 256

// plan is the list that the todo tools keep. Their results hold no more than
// the ids of what they changed, so it is kept here too.
type plan struct{ todos []todo }

type todo struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Status  string `json:"status"`
}

func isTodo(tool string) bool { return strings.HasPrefix(tool, "todo_") }

// apply does what a call of a todo tool did, and tells whether the plan is
// another now. Results that are none (of a dry run) change nothing.
func (p *plan) apply(tool string, args []byte, result string) bool {
	before := slices.Clone(p.todos)
	switch tool {
	case "todo_set":
		p.set(args, result)
	case "todo_add":
		p.add(args, result)
	case "todo_update":
		p.update(args)
	case "todo_clear":
		p.todos = nil
	case "todo_list":
		p.list(args, result)
	}
	return !slices.Equal(before, p.todos)
}

func (p *plan) set(args []byte, result string) {
	var call struct {
		Todos []todo `json:"todos"`
	}
	var done struct {
		IDs []string `json:"ids"`
	}
	if exactjson.Unmarshal(args, &call) != nil || exactjson.Unmarshal([]byte(result), &done) != nil ||
		len(done.IDs) != len(call.Todos) || len(call.Todos) > maxTodos {
		return
	}
	p.todos = call.Todos
	for i, id := range done.IDs {
		p.todos[i].ID, p.todos[i].Status = id, "pending"
	}
}

func (p *plan) add(args []byte, result string) {
	var call struct {
		Content  string `json:"content"`
		Position any    `json:"position"`
	}
	var done struct {
		ID string `json:"id"`
	}
	if exactjson.Unmarshal(args, &call) != nil || exactjson.Unmarshal([]byte(result), &done) != nil ||
		done.ID == "" || len(p.todos) >= maxTodos {
		return
	}
	at := len(p.todos)
	switch position := call.Position.(type) {
	case string:
		if position == "start" {
			at = 0
		}
	case float64:
		at = int(max(0, min(float64(at), position)))
	}
	p.todos = slices.Insert(p.todos, at, todo{done.ID, call.Content, "pending"})
}

func (p *plan) update(args []byte) {
	var call struct {
		ID      string  `json:"id"`
		Content *string `json:"content"`
		Status  *string `json:"status"`
	}
	if exactjson.Unmarshal(args, &call) != nil {
		return
	}
	for i := range p.todos {
		if p.todos[i].ID != call.ID {
			continue
		}
		if call.Content != nil {
			p.todos[i].Content = *call.Content
		}
		if call.Status != nil {
			p.todos[i].Status = *call.Status
		}
	}
}

// list takes over the list as Ethos has it. Without the filter "all" it is only
// a part of it.
func (p *plan) list(args []byte, result string) {
	var call struct {
		Filter string `json:"filter"`
	}
	var todos []todo
	if exactjson.Unmarshal(args, &call) != nil || call.Filter != "all" {
		return
	}
	if exactjson.Unmarshal([]byte(result), &todos) == nil && len(todos) <= maxTodos {
		p.todos = todos
	}
}

func (p *plan) event() *agent.Plan {
	e := &agent.Plan{Entries: make([]agent.PlanEntry, 0, len(p.todos))}
	for _, t := range p.todos {
		e.Entries = append(e.Entries, agent.PlanEntry{Content: t.Content, Status: t.Status})
	}
	return e
}
