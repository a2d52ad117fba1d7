package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

var table = dialect.Table[struct{}]{
	Name:      "native",
	Forms:     []dialect.Form[struct{}]{{Type: "type", Kinds: Kinds(emit)}},
	Stateless: true,
	Unknown:   unknown,
}.Compile()

// Dialect is the native dialect. Its types are listed by [agent.Variants].
var Dialect = withoutTypes(table.Dialect())

func withoutTypes(d dialect.Dialect) dialect.Dialect {
	d.Types = func() []string { return nil }
	return d
}

// Kinds returns the events of the native dialect, for dialects that include them.
// emit is called with each event, whose text may be slices of the line.
func Kinds[S any](emit func(s *S, l *dialect.Line, e agent.Event)) []dialect.Kind[S] {
	kinds := make([]dialect.Kind[S], 0, len(agent.Variants()))
	for i, v := range agent.Variants() {
		name := v.New().Type()
		kinds = append(kinds, dialect.Kind[S]{
			Name: name,
			Decode: func(s *S, l *dialect.Line) {
				if e, ok := l.ReadEvent(i); ok {
					emit(s, l, e)
				}
			},
			Refuse: refusals[name],
		})
	}
	return kinds
}

func emit(_ *struct{}, l *dialect.Line, e agent.Event) { Emit(l, e) }

// Emit emits an event decoded through [Kinds].
func Emit(l *dialect.Line, e agent.Event) bool {
	switch e := e.(type) {
	case *agent.TextDelta:
		return l.EmitText(*e)
	case *agent.ThinkingDelta:
		return l.EmitThinking(*e)
	case *agent.ToolOutput:
		return l.EmitOutput(*e)
	case *agent.ToolArgsDelta:
		return l.EmitArgs(*e)
	case *agent.Error:
		// Most other formats use this name.
		if m := l.Raw("message"); e.Error == "" && len(m) > 0 && m[0] == '"' {
			e.Error = l.String("message")
		}
	}
	return l.Emit(e)
}

func unknown(_ *struct{}, l *dialect.Line) { EmitUnknown(l) }

// EmitUnknown emits an event of an unknown type. It keeps the turn id, because an
// event that names another turn is late, like any other.
func EmitUnknown(l *dialect.Line) {
	l.Emit(&agent.Unknown{Name: l.Name, Raw: l.Unread(), Base: agent.Base{TurnID: l.OptionalKey("turnId")}})
}
