package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
)

var tools = toolview.Table{
	{Name: "Read", Kind: "read", Verb: "Read", Subject: "file_path", Path: "file_path"},
	{Name: "Write", Kind: "edit", Verb: "Write", Subject: "file_path", Path: "file_path"},
}

// View describes a call, unless the names of its arguments do. The tools of MCP servers
// are named mcp__SERVER__TOOL.
func View(name string, args []byte) (v agent.View) {
	tools.Fill(&v, name, args)
	if parts := strings.SplitN(name, "__", 3); len(parts) == 3 && parts[0] == "mcp" {
		v.Title = parts[1] + ": " + parts[2]
	}
	return v
}

func isSubagent(name string) bool { return name == "Agent" || name == "Task" }

// isHidden reports whether calls of a tool are shown as a plan or a sub-agent.
func isHidden(name string) bool {
	return isSubagent(name) || slices.Contains([]string{"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList"}, name)
}

// maxRemembered limits the calls and the tasks that a decoder remembers.
const maxRemembered = 1 << 10

func (s *State) toolUse(l *dialect.Line, b *dialect.Fields, parent string) {
	id, name, input := b.Key("id"), b.Key("name"), b.Raw("input")
	if !isHidden(name) || len(s.hidden) == maxRemembered {
		l.Emit(&agent.ToolReady{ToolCallID: id, ToolName: name, Args: input, ParentToolCallID: parent, View: View(name, input)})
		return
	}
	s.hidden[id] = name
	if args := b.Object("input"); isSubagent(name) {
		l.Emit(&agent.SubagentStart{ID: id, Name: args.OptionalKey("subagent_type"), Task: args.OptionalKey("description"), ParentToolCallID: parent})
	} else if name == "TodoWrite" {
		s.plan(l, args)
	}
}

// toolResult ends a call, with the text for the model.
func (s *State) toolResult(l *dialect.Line, b *dialect.Fields) {
	id, failed := b.Key("tool_use_id"), b.Bool("is_error")
	name := s.hidden[id]
	delete(s.hidden, id)
	end := agent.ToolEnd{ToolCallID: id, ToolName: name, OK: !failed}
	if b.IsString("content") {
		if end.Result = b.Text("content"); failed {
			text := strings.TrimSuffix(strings.TrimPrefix(b.String("content"), "<tool_use_error>"), "</tool_use_error>")
			end.Result, end.Cancelled = agent.NewText(text), strings.HasPrefix(text, "The user doesn't want to")
		}
	} else {
		for c := range b.Objects("content") {
			end.Content = append(end.Content, content(c))
		}
	}
	switch {
	case isSubagent(name):
		e := &agent.SubagentEnd{ID: id, OK: !failed, Result: end.Result.String()}
		if len(end.Content) > 0 {
			e.Result = end.Content[0].Text // the rest is for the model
		}
		if l.IsObject("tool_use_result") && l.Object("tool_use_result").OptionalKey("status") == "async_launched" && len(s.background) < maxRemembered {
			s.background[id] = true
			return
		}
		l.Emit(e)
	case name == "TodoWrite" && !failed:
	case name != "" && l.IsObject("tool_use_result"):
		s.plan(l, l.Object("tool_use_result"))
	default:
		l.EmitEnd(end)
	}
}

// TaskEnded ends the sub-agent that a line is about. It returns false unless the
// sub-agent runs in the background.
func (s *State) TaskEnded(l *dialect.Line) bool {
	id := l.Key("tool_use_id")
	if !s.background[id] {
		return false
	}
	delete(s.background, id)
	return l.Emit(&agent.SubagentEnd{ID: id, OK: l.Key("status") == "completed", Result: l.String("summary")})
}

func content(c *dialect.Fields) agent.Content {
	if source := c.Object("source"); c.Key("type") == "image" && source.Key("type") == "base64" {
		return agent.Content{Type: "image", Data: source.String("data"), MIMEType: source.String("media_type")}
	}
	return agent.Content{Type: "text", Text: cmp.Or(c.String("text"), "["+c.Key("type")+"]")}
}

// A task is an entry of a list of tasks. Those of TodoWrite have no id.
type task struct{ id, subject, status string }

// plan updates the list from the arguments of TodoWrite, or the result of another tool.
func (s *State) plan(l *dialect.Line, f *dialect.Fields) {
	if f.Has("todos", "tasks") {
		s.tasks = nil
	}
	add := func(t *dialect.Fields) {
		if t != nil && len(s.tasks) < maxRemembered {
			s.tasks = append(s.tasks, task{t.Key("id"), t.String("subject", "content"), t.Key("status")})
		}
	}
	add(f.Object("task"))
	for t := range f.Objects("todos", "tasks") {
		add(t)
	}
	at := slices.IndexFunc(s.tasks, func(t task) bool { return t.id == f.Key("taskId") })
	if status := f.Object("statusChange").Key("to"); at >= 0 && status == "deleted" {
		s.tasks = slices.Delete(s.tasks, at, at+1)
	} else if at >= 0 && status != "" {
		s.tasks[at].status = status
	}
	e := &agent.Plan{Entries: []agent.PlanEntry{}}
	for _, t := range s.tasks {
		e.Entries = append(e.Entries, agent.PlanEntry{Content: t.subject, Status: t.status})
	}
	l.Emit(e)
}
