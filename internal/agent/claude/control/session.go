package control

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/claude/wire"
)

// A model that can be chosen. Several choices may be the same model.
type model struct{ value, resolved string }

// modes are the permission modes that every session can have.
var modes = []agent.Choice{
	{ID: "default", Name: "Ask first", Description: "Asks before it changes files or runs commands"},
	{ID: "acceptEdits", Name: "Accept edits", Description: "Changes files without asking"},
	{ID: "plan", Name: "Plan", Description: "Reads and plans, but changes nothing"},
	{ID: "dontAsk", Name: "Don't ask", Description: "Denies what was not allowed before"},
}

// system decodes messages about the session.
func (h *Host) system(s *wire.State, l *dialect.Line) {
	switch l.Key("subtype") {
	case "init":
		h.begin(l, l.Key("session_id"), l.Key("model"))
	case "commands_changed":
		l.Emit(&agent.AvailableCommands{Commands: commands(l.Fields)})
	case "compact_boundary":
		l.Emit(&agent.ContextCompacted{Status: "completed"})
	case "status":
		if reason := l.String("compact_error"); reason != "" {
			l.Emit(&agent.ContextCompacted{Status: "failed", Error: reason})
		} else if l.OptionalKey("status") == "compacting" {
			l.Emit(&agent.ContextCompacted{Status: "in_progress"})
		}
	case "api_retry":
		l.Emit(&agent.Notice{Severity: "warning", Message: "The model can't be reached. Trying again: " + l.String("error")})
	case "informational", "model_refusal_fallback":
		l.Emit(&agent.Notice{Severity: "warning", Message: l.String("content")})
	case "task_notification":
		if !s.TaskEnded(l) && l.String("output_file") != "" { // a command in the background
			l.Emit(&agent.Notice{Severity: "info", Message: l.String("summary")})
		}
	}
	if mode := l.Key("permissionMode"); mode != "" {
		l.Emit(&agent.ModeChanged{ModeID: mode, Available: modes})
	}
}

// begin decodes the start of a turn.
func (h *Host) begin(l *dialect.Line, session, name string) {
	if !l.OK() {
		return
	}
	h.mu.Lock()
	fresh := session != "" && session != h.session
	h.session, h.lost = session, h.lost && !fresh
	if at := slices.IndexFunc(h.models, func(m model) bool { return m.value == h.model }); at < 0 || h.models[at].resolved != name {
		h.model = name
		if at = slices.IndexFunc(h.models, func(m model) bool { return m.resolved == name }); at >= 0 {
			h.model = h.models[at].value
		}
	}
	chosen := h.model
	h.mu.Unlock()
	if fresh {
		l.Emit(agent.KeyState(session))
	}
	l.Emit(&agent.RunStart{Model: name})
	l.Emit(&agent.ModelChanged{ModelID: chosen})
}

func commands(f *dialect.Fields) []agent.Command {
	all := []agent.Command{}
	for c := range f.Objects("commands") {
		all = append(all, agent.Command{Name: c.String("name"), Description: c.String("description"), Hint: c.String("argumentHint")})
	}
	return all
}

// response decodes the response to a request of the host, whose id says what it was.
func (h *Host) response(_ *wire.State, l *dialect.Line) {
	r := l.Object("response")
	option, value, _ := strings.Cut(r.String("request_id"), ":")
	result, reason := r.Object("response"), r.String("error")
	switch {
	case result.Has("commands", "models"):
		h.introduce(l, result)
	case option != agent.OptionMode && option != agent.OptionModel:
		if reason != "" {
			l.Emit(&agent.Notice{Severity: "error", Message: "Claude Code: " + reason})
		}
	case reason != "":
		l.Emit(&agent.OptionRefused{OptionID: option, Error: reason})
	case option == agent.OptionMode:
		l.Emit(&agent.ModeChanged{ModeID: value, Available: modes})
	case l.OK():
		h.mu.Lock()
		h.model = value
		h.mu.Unlock()
		l.Emit(&agent.ModelChanged{ModelID: value})
	}
}

// introduce decodes the response to initialize.
func (h *Host) introduce(l *dialect.Line, r *dialect.Fields) {
	e := &agent.Introduction{
		Name: "Claude Code", Version: r.String("claude_code_version"), Commands: commands(r),
		Prompt: &agent.PromptTakes{Image: true}, MCP: &agent.MCPTakes{HTTP: true, SSE: true},
		System: &agent.SystemPromptTakes{Replace: true}, Resume: true,
		Modes: &agent.ModeState{ModeID: modes[0].ID, Available: modes}, Models: new(agent.ModelState),
	}
	var models []model
	for m := range r.Objects("models") {
		models = append(models, model{m.String("value"), m.String("resolvedModel")})
		c := agent.Choice{ID: m.String("value"), Name: m.String("displayName"), Description: m.String("description")}
		e.Models.Available = append(e.Models.Available, c)
	}
	if !l.OK() {
		return
	}
	h.mu.Lock()
	h.models = models
	if h.model == "" && len(models) > 0 {
		h.model = models[0].value
	}
	e.Models.ModelID = h.model
	h.mu.Unlock()
	l.Emit(e)
}
