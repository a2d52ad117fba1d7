package doctor

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestArgumentsAreReadAsTheCommandLineReadsThem(t *testing.T) {
	for line, want := range map[string]launch{
		"acp":                       {},
		"acp --agent ethos":         {agent: "ethos"},
		"acp -a ethos":              {agent: "ethos"},
		"acp --agent=ethos --url=u": {agent: "ethos", url: "u"},
		"acp --config f --agent x":  {agent: "x", config: "f"},
		"acp -- prog --agent x":     {command: []string{"prog", "--agent", "x"}},
		"acp --agent acp -- prog":   {agent: "acp", command: []string{"prog"}},
		"acp --agent":               {},
		"":                          {},
	} {
		require.Equal(t, want, parseArgs(strings.Fields(line)), line)
	}
}

func TestHeadersAreNotShown(t *testing.T) {
	args := []string{"acp", "--header", "X: secret", "--header=Y: secret", "--agent", "a", "--header", "secret", "--", "--header", "its own"}
	require.Equal(t, []string{"acp", "--header", "X: …", "--header=Y: …", "--agent", "a", "--header", "…", "--", "--header", "its own"}, redacted(args))
	require.Equal(t, "X: secret", args[2], "a copy is changed")
}

func TestFlagsAreQuotedForAShell(t *testing.T) {
	require.Equal(t, ` --agent a-b.c -- 'a b' '' 'it'\''s' '$HOME'`, flags([]string{"acp", "--agent", "a-b.c", "--", "a b", "", "it's", "$HOME"}))
	require.Empty(t, flags([]string{"acp"}))
	require.Empty(t, flags(nil))
}

func TestAnAnswerIsShownShortAndInOneLine(t *testing.T) {
	var a answer
	require.Empty(t, a.short())
	a.text = []byte("one\n\ttwo " + strings.Repeat("ä", maxShown))
	require.Equal(t, "one two "+strings.Repeat("ä", maxShown-9)+"…", a.short())
}

func TestAWarningReplacesAHint(t *testing.T) {
	var a answer
	hint, warning := &v1.Notice{Severity: "info", Title: "slow?"}, &v1.Notice{Severity: "warning", Title: "wrong"}
	require.True(t, a.update(hint))
	require.False(t, a.update(hint))
	require.True(t, a.update(warning))
	require.False(t, a.update(hint))
	require.Equal(t, "wrong", a.notice)
	require.True(t, a.warned)
}

func TestSecretsInAnAddressAreNotShown(t *testing.T) {
	for given, shown := range map[string]string{
		"http://127.0.0.1:8080/agent":         "http://127.0.0.1:8080/agent",
		"https://me:secret@host/agent":        "https://host/agent…",
		"https://host/agent?key=secret":       "https://host/agent…",
		"https://host/#secret":                "https://host/…",
		"https://me:secret@host:port/?secret": "…",
	} {
		require.Equal(t, []string{"acp", "--url", shown, "--url=" + shown, "--", "--url", given},
			redacted([]string{"acp", "--url", given, "--url=" + given, "--", "--url", given}))
	}
}
