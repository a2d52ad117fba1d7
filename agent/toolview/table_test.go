package toolview_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/toolview"
)

func TestWhatAPersonSaysOfAToolWins(t *testing.T) {
	said := agent.View{Kind: "other", Title: "frob()", Locations: at("/elsewhere", 0)}
	args := []byte(`{"file":"x","path":"y","mode":"fast"}`)
	for name, c := range map[string]struct {
		tool string
		own  toolview.Tool
		want agent.View
	}{
		"all of it":                       {"frob", toolview.Tool{Kind: "edit", Verb: "Frob", Subject: "mode", Path: "file"}, agent.View{Kind: "edit", Title: "Frob fast", Locations: at("/src/x", 0)}},
		"the kind":                        {"frob", toolview.Tool{Kind: "edit"}, agent.View{Kind: "edit", Title: "frob()", Locations: at("/elsewhere", 0)}},
		"the verb":                        {"frob", toolview.Tool{Verb: "Frob"}, agent.View{Kind: "other", Title: "Frob", Locations: at("/elsewhere", 0)}},
		"the subject":                     {"frob", toolview.Tool{Subject: "mode"}, agent.View{Kind: "other", Title: "frob fast", Locations: at("/elsewhere", 0)}},
		"the path":                        {"frob", toolview.Tool{Path: "file"}, agent.View{Kind: "other", Title: "frob()", Locations: at("/src/x", 0)}},
		"another path":                    {"frob", toolview.Tool{Path: "missing"}, said},
		"nothing":                         {"frob", toolview.Tool{}, said},
		"what is known of the tool stays": {"read_file", toolview.Tool{Subject: "mode"}, agent.View{Kind: "other", Title: "Read fast", Locations: at("/elsewhere", 0)}},
	} {
		t.Run(name, func(t *testing.T) {
			table := toolview.Common.With(toolview.Table{c.tool: c.own})
			require.Equal(t, c.want, toolview.Describe(table, said, c.tool, args, "/src"))
		})
	}
}

func TestATableIsNotChangedByWhatAPersonSays(t *testing.T) {
	table := toolview.Table{"a": {Verb: "A"}}
	own := toolview.Table{"a": {Verb: "B"}, "b": {Verb: "C"}}
	require.Len(t, table.With(own), 2)
	require.Equal(t, toolview.Table{"a": {Verb: "A"}}, table)
	require.Equal(t, table, table.With(nil))
	require.Equal(t, "C", toolview.Table(nil).With(own)["b"].Verb)
}
