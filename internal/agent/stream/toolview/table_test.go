package toolview_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
)

func TestTheUsersDescriptionOfAToolWins(t *testing.T) {
	described := agent.View{Kind: "other", Title: "frob()", Locations: at("/elsewhere", 0)}
	args := []byte(`{"file":"x","path":"y","mode":"fast"}`)
	for name, c := range map[string]struct {
		own  toolview.Tool
		want agent.View
	}{
		"all of it":                       {toolview.Tool{Name: "frob", Kind: "edit", Verb: "Frob", Subject: "mode", Path: "file"}, agent.View{Kind: "edit", Title: "Frob fast", Locations: at("/src/x", 0)}},
		"the kind":                        {toolview.Tool{Name: "frob", Kind: "edit"}, agent.View{Kind: "edit", Title: "frob()", Locations: at("/elsewhere", 0)}},
		"the verb":                        {toolview.Tool{Name: "frob", Verb: "Frob"}, agent.View{Kind: "other", Title: "Frob", Locations: at("/elsewhere", 0)}},
		"the subject":                     {toolview.Tool{Name: "frob", Subject: "mode"}, agent.View{Kind: "other", Title: "frob fast", Locations: at("/elsewhere", 0)}},
		"the path":                        {toolview.Tool{Name: "frob", Path: "file"}, agent.View{Kind: "other", Title: "frob()", Locations: at("/src/x", 0)}},
		"another path":                    {toolview.Tool{Name: "frob", Path: "missing"}, described},
		"nothing":                         {toolview.Tool{Name: "frob"}, described},
		"what is known of the tool stays": {toolview.Tool{Name: "read_file", Subject: "mode"}, agent.View{Kind: "other", Title: "Read fast", Locations: at("/elsewhere", 0)}},
	} {
		t.Run(name, func(t *testing.T) {
			table := toolview.Common.With(toolview.Table{c.own})
			require.Equal(t, c.want, toolview.Describe(table, described, c.own.Name, args, "/src"))
		})
	}
}

func TestATableIsNotChangedByTheUsersDescriptions(t *testing.T) {
	table := toolview.Table{{Name: "a", Verb: "A"}}
	own := toolview.Table{{Name: "a", Verb: "B"}, {Name: "b", Verb: "C"}}
	require.Equal(t, []string{"a", "b"}, names(table.With(own)))
	require.Equal(t, toolview.Table{{Name: "a", Verb: "A"}}, table)
	require.Equal(t, table, table.With(nil))
	require.Equal(t, []string{"a", "b"}, names(toolview.Table(nil).With(own)))
	b, ok := toolview.Table(nil).With(own).Find("b")
	require.True(t, ok)
	require.Equal(t, "C", b.Verb)
}

func names(t toolview.Table) []string {
	var names []string
	for _, tool := range t {
		names = append(names, tool.Name)
	}
	return names
}
