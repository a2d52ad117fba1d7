package dialect

import (
	"sync"

	"github.com/turnwire/turnwire/agent"
)

// A Table declares a dialect. S is the decoder's state for one stream.
//
// The package does the rest. It finds the event's name and members, in any order
// and among unknown ones, and calls the handler to read them. It recognises lines
// that differ from the last one only in a piece of text.
type Table[S any] struct {
	// Name is the dialect's name.
	Name string
	// Forms are the ways in which the dialect writes events. The first form that
	// knows the event's name decodes it.
	Forms []Form[S]
	// New returns the state for a new stream. If it is nil, the zero S is used.
	New func() *S
	// Stateless means that the meaning of a piece of text depends on its own line
	// alone, not on the state.
	Stateless bool
	// EachLine means that Before must see every line, so that no line is decoded
	// by comparing it with an earlier one.
	EachLine bool
	// Recognise reports whether a line with a known name can only belong to this
	// dialect. If it is nil, the name is enough.
	Recognise func(l *Line) bool
	// Before is called with each line that has a form, before its event is
	// decoded. If it returns false, the line is ignored.
	Before func(s *S, l *Line) bool
	// Unknown emits an event whose name is in no form. The default is
	// [Line.EmitUnknown].
	Unknown func(s *S, l *Line)
	// OnText is called with each piece of the answer, however it was decoded.
	OnText func(s *S, text agent.Text)
	// End emits the events that EOF implies; see [Ender].
	End func(s *S, l *Line)
}

// A Form is one way to write events.
type Form[S any] struct {
	// Prefix precedes the names in [Dialect.Types], because forms may share
	// names.
	Prefix string
	// Type is the member of the line whose string names the event.
	Type string
	// Also lists members that name the event if Type is missing.
	Also []string
	// Name, in a form without Type, names an event by the members that are
	// present. It returns "" if the line doesn't have this form.
	Name func(l *Line) string
	// Body is the member that holds the event's own members. If it is empty, they
	// are next to the name.
	Body string
	// Is reports whether a line with the member Type has this form. If it is nil,
	// every such line does.
	Is func(l *Line) bool
	// Kinds are the events that have the form.
	Kinds []Kind[S]
}

// name returns the member that names the event, or nil.
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
	// Also lists other names of the event, which [Dialect.Types] omits.
	Also []string
	// Event returns the line's event, if it is a single one and depends on the
	// line alone. With neither Event nor Decode, the line is ignored.
	Event func(l *Line) agent.Event
	// Decode emits the line's events. If it reads a value of the wrong kind or
	// records a fault, decoding the line fails with a [MalformedError].
	Decode func(s *S, l *Line)
	// Refuse returns the refusal of a request that can't be decoded, made from
	// the members before the mistake. It is nil for events that are not requests.
	Refuse func(l *Line, reason string) agent.Event
}

// Compile returns a decoder factory for the table.
func (t Table[S]) Compile() *Compiled[S] {
	// Be lazy: at startup all dialects are compiled, but at most one is used.
	return &Compiled[S]{table: t, kinds: sync.OnceValue(t.kinds)}
}

// kinds returns the kinds of each form by name.
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

// Dialect returns the dialect that the table declares.
func (c *Compiled[S]) Dialect() Dialect {
	return Dialect{
		Name:       c.table.Name,
		Types:      c.types,
		Recognise:  func(line []byte) bool { return c.decoder(nil).recognise(line) },
		NewDecoder: func() Decoder { return c.Decoder(nil) },
	}
}

// Decoder returns a decoder for one stream. state is its initial state; if it is
// nil, the decoder creates one.
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
