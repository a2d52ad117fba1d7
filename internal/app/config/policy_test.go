package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// writeFile writes a file.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestAnAgentsPolicyPrecedesTheGeneralOne(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "turnwire.json")
	writeFile(t, own, `{
  "policy": {
    "rules": [
      {"deny": "fetch"}, // for all
    ],
    "file": "more.json",
  },
  "agents": {
    "mine": {"type": "glue", "policy": {"rules": [{"allow": "fetch"}]}},
    "strict": {"type": "glue", "policy": {"default": "deny"}}
  }
}`)
	writeFile(t, filepath.Join(dir, "more.json"), "{\"rules\": [\n{\"allow\": \"read\"}], \"default\": \"deny\"}")
	for _, c := range []struct{ agent, kind, want string }{
		{"", "fetch", "deny fetch " + own + ":4"},
		{"other", "fetch", "deny fetch " + own + ":4"},
		{"mine", "fetch", "allow fetch " + own + ":9"},
		{"mine", "read", "allow read " + filepath.Join(dir, "more.json") + ":2"},
		{"mine", "edit", "default deny " + filepath.Join(dir, "more.json") + ":2"},
		{"strict", "read", "default deny " + own + ":10"},
	} {
		p, err := config.Places{Own: own}.Policy(c.agent)
		require.NoError(t, err)
		r := p.Judge(consent.Call{Kind: c.kind})
		require.Equal(t, c.want, r.Rule+" "+r.At)
	}
	none, err := config.Places{Own: filepath.Join(dir, "none.json")}.Policy("mine")
	require.NoError(t, err)
	require.Zero(t, none.Len())
}

func TestInvalidPoliciesAreErrorsWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"{\"policy\": {\"rules\": [\n{\"allow\": \"raed\"}]}}":       `f:2: policy.rules.1: "raed": unknown kind "raed"; did you mean read?`,
		`{"policy": {"rules": [{"allow": "read"}, {}]}}`:             "f:1: policy.rules.2: a rule needs exactly one of allow, ask and deny",
		`{"policy": {"rules": [{"allow": "read", "deny": "edit"}]}}`: "policy.rules.1: a rule needs exactly one of",
		`{"policy": {"rules": [{"alow": "read"}]}}`:                  "policy.rules.1.alow: unknown key; did you mean allow?",
		`{"policy": {"rules": [{"allow": 1}]}}`:                      "policy.rules.1.allow: must be a string",
		`{"policy": {"rules": ["read"]}}`:                            "policy.rules.1: must be an object",
		`{"policy": {"rules": {}}}`:                                  "policy.rules: must be a list",
		`{"policy": []}`:                                             "policy: must be an object",
		`{"policy": {"default": "allow"}}`:                           `policy.default: must be ask or deny, not "allow"`,
		`{"agents": {"a": {"type": "glue", "policy": {"rules": [{"deny": "edit", "folder": "src"}]}}}}`: `agents.a.policy.rules.1: the folder "src": the pattern must be absolute`,
	} {
		_, err := config.Parse("f", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestAPolicyFileContainsOnlyAPolicy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.json")
	for text, want := range map[string]string{
		`[`:                           ":1: invalid JSON",
		`[]`:                          "must be an object",
		`{"rule": []}`:                "rule: unknown key; did you mean rules?",
		`{"rules": [{"allow": "x"}]}`: `rules.1: "x": unknown kind "x"; the kinds are read, edit`,
		`{"file": "q.json"}`:          "file: a policy file cannot name another one",
		`{"policy": {}}`:              "policy: unknown key",
	} {
		writeFile(t, path, text)
		_, err := config.ReadPolicy(path)
		require.ErrorContains(t, err, want, text)
	}
	_, err := config.ReadPolicy(filepath.Dir(path))
	require.ErrorContains(t, err, "is not a regular file")

	own := filepath.Join(filepath.Dir(path), "turnwire.json")
	writeFile(t, own, `{"policy": {"file": "none.json"}}`)
	_, err = config.Places{Own: own}.Policy("")
	require.ErrorContains(t, err, "policy.file: the policy: ")
}

func TestAProjectCannotAllow(t *testing.T) {
	dir := t.TempDir()
	own, project := filepath.Join(dir, "own.json"), filepath.Join(dir, "work", "turnwire.json")
	writeFile(t, own, `{"policy": {"rules": [{"allow": "*"}]}}`)
	p := config.Places{Own: own, Project: project}
	rules, err := p.ProjectPolicy("mine")
	require.NoError(t, err)
	require.Nil(t, rules, "there is no such file")

	writeFile(t, project, `{"policy": {"rules": [{"deny": "edit"}, {"ask": "read"}]}, "agents": {"mine": {"type": "glue", "policy": {"rules": [{"ask": "edit"}]}}}}`)
	rules, err = p.ProjectPolicy("mine")
	require.NoError(t, err)
	require.Equal(t, "ask edit", rules.Judge(consent.Call{Kind: "edit"}).Rule)
	rules, err = p.ProjectPolicy("other")
	require.NoError(t, err)
	require.Equal(t, "deny edit", rules.Judge(consent.Call{Kind: "edit"}).Rule)

	for text, want := range map[string]string{
		`{"policy": {"rules": [{"allow": "read"}]}}`:                                          "policy.rules.1: a project cannot allow anything",
		`{"policy": {"file": "` + filepath.ToSlash(own) + `"}}`:                               "policy.file: a project's policy cannot name a file",
		`{"agents": {"mine": {"type": "glue", "policy": {"rules": [{"allow": "read"}]}}}}`:    "agents.mine.policy.rules.1: a project cannot allow anything",
		`{"policy": {"rules": [{"deny": "edit"}]}, "agents": {"mine": {"type": "nonsense"}}}`: "agents.mine.type: must be one of",
	} {
		writeFile(t, project, text)
		_, err := p.ProjectPolicy("mine")
		require.ErrorContains(t, err, want)
	}
}
