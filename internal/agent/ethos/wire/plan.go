package wire

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// plan is a copy of the todo tools' list. It is needed because their results only
// contain the ids of what they changed.
type plan struct{ todos []todo }

type todo struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Status  string `json:"status"`
}

const statusPending = "pending"

func isTodo(tool string) bool { return strings.HasPrefix(tool, "todo_") }

// apply applies a call of a todo tool, and reports whether the plan changed. An
// unexpected result, such as that of a dry run, changes nothing.
func (p *plan) apply(c call, result string) bool {
	var args struct {
		Todos    []todo  `json:"todos"`
		ID       string  `json:"id"`
		Content  *string `json:"content"`
		Status   *string `json:"status"`
		Position any     `json:"position"`
		Filter   string  `json:"filter"`
	}
	if c.name != "todo_clear" && exactjson.Unmarshal(c.args, &args) != nil {
		return false
	}
	before := slices.Clone(p.todos)
	switch c.name {
	case "todo_set":
		p.set(args.Todos, result)
	case "todo_add":
		p.add(args.Content, args.Position, result)
	case "todo_update":
		p.update(args.ID, args.Content, args.Status)
	case "todo_clear":
		p.todos = nil
	case "todo_list":
		p.list(args.Filter, result)
	}
	return !slices.Equal(before, p.todos)
}

func (p *plan) set(todos []todo, result string) {
	var set struct {
		IDs []string `json:"ids"`
	}
	if exactjson.Unmarshal([]byte(result), &set) != nil || len(set.IDs) != len(todos) || len(todos) > maxTodos {
		return
	}
	p.todos = todos
	for i, id := range set.IDs {
		p.todos[i].ID, p.todos[i].Status = id, statusPending
	}
}

func (p *plan) add(content *string, position any, result string) {
	added := todo{Status: statusPending}
	if content != nil {
		added.Content = *content
	}
	var set struct {
		ID string `json:"id"`
	}
	if exactjson.Unmarshal([]byte(result), &set) != nil || set.ID == "" || len(p.todos) >= maxTodos {
		return
	}
	added.ID = set.ID
	at := len(p.todos)
	switch position := position.(type) {
	case string:
		if position == "start" {
			at = 0
		}
	case float64:
		at = int(max(0, min(float64(at), position)))
	}
	p.todos = slices.Insert(p.todos, at, added)
}

func (p *plan) update(id string, content, status *string) {
	for i := range p.todos {
		if p.todos[i].ID != id {
			continue
		}
		if content != nil {
			p.todos[i].Content = *content
		}
		if status != nil {
			p.todos[i].Status = *status
		}
	}
}

// list replaces the list by that of Ethos. With a filter other than "all", the
// result is only a part of it, and is ignored.
func (p *plan) list(filter, result string) {
	var todos []todo
	if filter == "all" && exactjson.Unmarshal([]byte(result), &todos) == nil && len(todos) <= maxTodos {
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
