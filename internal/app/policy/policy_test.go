package policy_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/policy"
)

func TestRulesDecide(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "src", "deep"), 0o700))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "src", "out")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, "src", "dangling")))
	in := func(names ...string) []string {
		for i, n := range names {
			if !filepath.IsAbs(n) {
				names[i] = dir + "/" + n
			}
		}
		return names
	}
	for name, c := range map[string]struct {
		allow, deny string
		call        policy.Call
		want        policy.Verdict
	}{
		"a kind":                     {"read", "", policy.Call{Kind: "read"}, policy.Allow},
		"another kind":               {"read", "", policy.Call{Kind: "edit"}, policy.Ask},
		"no kind":                    {"read", "", policy.Call{}, policy.Ask},
		"anything":                   {"*", "", policy.Call{Kind: "edit"}, policy.Allow},
		"a path":                     {"edit:src/**", "", policy.Call{Kind: "edit", Paths: in("src/deep/new/a.go")}, policy.Allow},
		"not all paths":              {"edit:src/**", "", policy.Call{Kind: "edit", Paths: in("src/a", "b")}, policy.Ask},
		"no path":                    {"edit:src/**", "", policy.Call{Kind: "edit"}, policy.Ask},
		"a path that leaves":         {"edit:src/**", "", policy.Call{Kind: "edit", Paths: in("src/../b")}, policy.Ask},
		"a path outside":             {"edit:**", "", policy.Call{Kind: "edit", Paths: in(outside + "/x")}, policy.Ask},
		"an absolute pattern":        {"edit:" + outside + "/**", "", policy.Call{Kind: "edit", Paths: in(outside + "/x")}, policy.Allow},
		"a link that leaves":         {"edit:src/**", "", policy.Call{Kind: "edit", Paths: in("src/out/x")}, policy.Ask},
		"a link to nothing":          {"edit:src/**", "", policy.Call{Kind: "edit", Paths: in("src/dangling")}, policy.Ask},
		"below a link to nothing":    {"edit:src/**", "", policy.Call{Kind: "edit", Paths: in("src/dangling/x")}, policy.Ask},
		"a star stays in its folder": {"edit:src/*", "", policy.Call{Kind: "edit", Paths: in("src/deep/a")}, policy.Ask},
		"a denial wins":              {"edit", "edit:**/.env", policy.Call{Kind: "edit", Paths: in("a", "src/.env")}, policy.Deny},
		"a denial by its name":       {"edit", "edit:src/dangling", policy.Call{Kind: "edit", Paths: in("src/dangling")}, policy.Deny},
		"a command":                  {"execute:go test *", "", policy.Call{Kind: "execute", Command: "go test ./... -run X"}, policy.Allow},
		"the whole command":          {"execute:make", "", policy.Call{Kind: "execute", Command: "make"}, policy.Allow},
		"more than the command":      {"execute:make", "", policy.Call{Kind: "execute", Command: "make all"}, policy.Ask},
		"a second command":           {"execute:go test *", "", policy.Call{Kind: "execute", Command: "go test ./...; rm -rf ."}, policy.Ask},
		"a second line":              {"execute:go test *", "", policy.Call{Kind: "execute", Command: "go test .\nid"}, policy.Ask},
		"a substitution":             {"execute:go test *", "", policy.Call{Kind: "execute", Command: "go test $(id)"}, policy.Ask},
		"no command":                 {"execute:*", "", policy.Call{Kind: "execute"}, policy.Allow},
		"a command about a path":     {"*:src/**", "", policy.Call{Kind: "execute", Command: "rm -rf /", Paths: in("src/a")}, policy.Ask},
		"a denied command":           {"execute", "execute:rm *", policy.Call{Kind: "execute", Command: "rm -rf $HOME"}, policy.Deny},
	} {
		t.Run(name, func(t *testing.T) {
			p := new(policy.Policy)
			if c.deny != "" {
				require.NoError(t, p.Read([]byte(`{"rules": [{"deny": "`+c.deny+`"}], /* comments */ }`)))
			}
			require.NoError(t, p.Allow(c.allow))
			c.call.Dir = dir
			require.Equal(t, c.want, p.Decide(c.call))
		})
	}
}

func TestTheFirstRuleThatMatchesDecides(t *testing.T) {
	p := new(policy.Policy)
	require.NoError(t, p.Read([]byte(`{"rules": [
		{"allow": "edit:src/gen/**"}, // made by a program
		{"ask": "edit:src/**"},
		{"allow": "edit"},
	], "default": "deny"}`)))
	require.NoError(t, p.Allow("read,edit"))
	edit := func(names ...string) policy.Verdict {
		c := policy.Call{Kind: "edit", Dir: "/w"}
		for _, n := range names {
			c.Paths = append(c.Paths, "/w/"+n)
		}
		return p.Decide(c)
	}
	require.Equal(t, policy.Allow, edit("src/gen/a"))
	require.Equal(t, policy.Ask, edit("src/gen/a", "src/b"))
	require.Equal(t, policy.Allow, edit("b"))
	require.Equal(t, policy.Allow, p.Decide(policy.Call{Kind: "read"}))
	require.Equal(t, policy.Deny, p.Decide(policy.Call{Kind: "fetch"}))
}

func TestTheDefaultIsForWhatNoRuleMatches(t *testing.T) {
	p := new(policy.Policy)
	require.NoError(t, p.Read([]byte(`{"rules": [{"allow": "read"}], "default": "deny"}`)))
	require.Equal(t, policy.Allow, p.Decide(policy.Call{Kind: "read"}))
	require.Equal(t, policy.Deny, p.Decide(policy.Call{Kind: "fetch"}))
	var none *policy.Policy
	require.Equal(t, policy.Ask, none.Decide(policy.Call{Kind: "read"}))
}

func TestARuleThatCannotBeMeantIsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"raed":           `there is no kind of calls "raed"; did you mean read?`,
		"":               `there is no kind of calls ""`,
		"edit:":          "a pattern follows the colon",
		"edit:[":         "the pattern is not valid",
		"execute:a * b*": "the only * of a command is at its end",
	} {
		require.ErrorContains(t, new(policy.Policy).Allow(text), want)
	}
	for text, want := range map[string]string{
		`[`:                           "the policy is not JSON",
		`[]`:                          "the policy is no JSON object",
		`{"rule": []}`:                "rule: there is no such member",
		`{"rules": "read"}`:           "rules: it is a list",
		`{"rules": [1]}`:              "rule 1: it is an object",
		`{"rules": [{"allow": "x"}]}`: "rule 1: \"x\": there is no kind",
		`{"rules": [{"allow": "read", "a": "b"}]}`: "rule 1: it is an object",
		`{"rules": [{"permit": "read"}]}`:          "rule 1: allow, ask or deny is a rule",
		`{"rules": [{"allow": 1}]}`:                "rule 1: allow, ask or deny is a rule",
		`{"default": "allow"}`:                     "default: it is ask or deny",
	} {
		require.ErrorContains(t, new(policy.Policy).Read([]byte(text)), want)
	}
}
