package dialect

import (
	"sync"

	"github.com/turnwire/turnwire/agent"
)

// A Table declares a dialect. S is what its decoder remembers of a stream.
//
// The kit owns the rest: it finds the event's name and its members, in any
// order and with unknown ones beside them, lets the handler read them, and knows
// lines again that differ from the last one in a piece of text alone.
type Table[S any] struct {
	// Name names the dialect.
	Name string
	// Forms are the ways in which it writes events. The first that knows the
	// event's name decodes it.
	Forms []Form[S]
	// New returns the state of a new stream. Nil means the zero S.
	New func() *S
	// Stateless says that what a piece of text means depends on its own line
	// alone, and not on what the decoder remembers of others.
	Stateless bool
	// EachLine says that Before has to see each line: none is known again by
	// another.
	EachLine bool
	// Recognise reports whether a line whose name is known can only be of this
	// dialect. Nil means that the name tells it.
	Recognise func(l *Line) bool
	// Before is called with each line that has a form, before its event is
	// decoded. A line for which it returns false says nothing.
	Before func(s *S, l *Line) bool
	// Unknown emits an event whose name no form knows. Nil means
	// [Line.EmitUnknown].
	Unknown func(s *S, l *Line)
	// Said is called with each piece of the answer, however it was decoded.
	Said func(s *S, text agent.Text)
	// End emits what the end of a file means; see [Ender].
	End func(s *S, l *Line)
}

// A Form is one way to write events.
type Form[S any] struct {
	// Prefix stands before the names in [Dialect.Types]: forms may share names.
	Prefix string
	// Type is the member of the line whose string names the event.
	Type string
	// Also are members that name the event where Type does not.
	Also []string
	// Name, in a form that has no Type, names the event of a line by what members
	// it has. It returns "" for a line that is not of the form.
	Name func(l *Line) string
	// Body is the member of the line that holds the event's own members. They
	// stand beside the name where it is empty.
	Body string
	// Is reports whether a line that has the member Type is of the form. Nil
	// means that it is.
	Is func(l *Line) bool
	// Kinds are the events that have the form.
	Kinds []Kind[S]
}

// name returns the member that names the event, nil where there is none.
func (f *Form[S]) name(top *Fields) *member {
	if m := top.member(f.Type); m != nil && m.value[0] == '"' {
		return m
	}
	for _, key := range f.Also {
		if m := top.member(key); m != nil && m.value[0] == '"' {
			return m
		}
	}
	return nil
}

// A Kind is an event of a dialect.
type Kind[S any] struct {
	Name string
	// Also are other names of the event, which [Dialect.Types] does not list.
	Also []string
	// Event returns what the line says, where that depends on the line alone and
	// is one event. With neither Event nor Decode the line says nothing.
	Event func(l *Line) agent.Event
	// Decode emits what the line says. A value of the wrong kind that it reads,
	// or a fault that it notes, makes a [MalformedError] of the line.
	Decode func(s *S, l *Line)
	// Refuse returns the refusal of a line that asks something and cannot be
	// read, made of the members before the mistake. It is nil for an event that
	// asks nothing.
	Refuse func(l *Line, reason string) agent.Event
}

// Compile makes the table ready to decode.
func (t Table[S]) Compile() *Compiled[S] {
	// A start pays for each dialect, and uses one at most.
	return &Compiled[S]{table: t, kinds: sync.OnceValue(t.kinds)}
}

// kinds returns the kinds by their names, in the order of the forms.
func (t Table[S]) kinds() []map[string]*Kind[S] {
	all := make([]map[string]*Kind[S], 0, len(t.Forms))
	for _, f := range t.Forms {
		kinds := make(map[string]*Kind[S], len(f.Kinds))
		for i := range f.Kinds {
			for _, name := range f.Kinds[i].Also {
				kinds[name] = &f.Kinds[i]
			}
		}
		for i := range f.Kinds {
			kinds[f.Kinds[i].Name] = &f.Kinds[i]
		}
		all = append(all, kinds)
	}
	return all
}

// Compiled is a table that is ready to decode.
type Compiled[S any] struct {
	table Table[S]
	kinds func() []map[string]*Kind[S]
}

// Dialect is the dialect that the table declares.
func (c *Compiled[S]) Dialect() Dialect {
	return Dialect{
		Name:       c.table.Name,
		Types:      c.types,
		Recognise:  func(line []byte) bool { return c.decoder(nil).recognise(line) },
		NewDecoder: func() Decoder { return c.Decoder(nil) },
	}
}

// Decoder returns a decoder of one stream. state is what it begins with; nil
// means a new one.
func (c *Compiled[S]) Decoder(state *S) Decoder { return c.decoder(state) }

func (c *Compiled[S]) types() []string {
	var names []string
	for _, f := range c.table.Forms {
		for _, k := range f.Kinds {
			names = append(names, f.Prefix+k.Name)
		}
	}
	return names
}
