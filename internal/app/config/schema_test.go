package config_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/schema"
)

func TestTheSchemaAndTheReaderAgree(t *testing.T) {
	text, err := schema.Read(schema.Config)
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("config.json", document))
	s := c.MustCompile("config.json")

	files := map[string]bool{example: true, documented(t, "configuration.md", "jsonc"): true, documented(t, "serve.md", "json"): true, `{}`: true, `[]`: false, `{"agent": {}}`: false}
	for agent, good := range map[string]bool{
		`{"type": "glue"}`: true,
		`{"type": "glue", "args": ["acp", "--verbose"], "env": {"KEY": "$KEY"}}`:                                                                    true,
		`{"type": "ethos", "personality": "coder", "startTimeout": "10s"}`:                                                                          true,
		`{"type": "ethos-web", "url": "http://localhost:3000", "headers": {"Cookie": "env:COOKIE"}}`:                                                true,
		`{"type": "aisdk", "url": "http://localhost:3000"}`:                                                                                         true,
		`{"type": "claude", "args": ["--model", "opus"]}`:                                                                                           true,
		`{"type": "agentao", "command": "/venv/bin/python"}`:                                                                                        true,
		`{"type": "agentb", "url": "http://x", "path": "/run", "toolOutputs": "/o", "cancelPath": "/c"}`:                                            true,
		`{"type": "agui", "url": "http://x", "headers": {"X": "y"}, "context": [{"description": "a", "value": "b"}], "forwardedProps": {"a": [1]}}`: true,
		`{"type": "agui", "url": "http://x", "context": ["b"]}`:                                                                                     false,
		`{"type": "agui", "url": "http://x", "offerTools": true}`:                                                                                   true,
		`{"type": "agui", "url": "http://x", "offerTools": ["read_file"]}`:                                                                          true,
		`{"type": "agui", "url": "http://x", "offerTools": "read_file"}`:                                                                            false,
		`{"type": "glue", "offerTools": true}`:                                                                                                      false,
		`{"type": "agui", "url": "http://x", "path": "/agent"}`:                                                                                     false,
		`{"type": "process", "command": "x", "tools": {"a b": {"kind": "read"}}}`:                                                                   true,
		`{"type": "acp", "command": "x", "registry": {"id": "x", "version": "1.0.0", "from": "/r.json"}}`:                                           true,
		`{"type": "acp", "command": "x", "registry": {"name": "x"}}`:                                                                                false,
		`{"type": "process", "command": "x", "registry": {"id": "x"}}`:                                                                              false,
		`{"type": "process"}`: false,
		`{"type": "acp-remote", "url": "wss://x/acp", "tokenFile": "t", "headers": {"X": "y"}}`: true,
		`{"type": "acp-remote"}`: false,
		`{"type": "acp-remote", "url": "wss://x/acp", "command": "x"}`:          false,
		`{"type": "awaken", "url": "http://x", "tokenFile": "t"}`:               false,
		`{"type": "glue", "url": "http://x"}`:                                   false,
		`{"type": "other", "command": "x"}`:                                     false,
		`{"command": "x"}`:                                                      false,
		`{"type": "process", "command": "x", "idleTimeout": "soon"}`:            false,
		`{"type": "process", "command": "x", "idleTimeout": 5}`:                 false,
		`{"type": "process", "command": "x", "args": "y"}`:                      false,
		`{"type": "process", "command": "x", "dialect": "klingon"}`:             false,
		`{"type": "process", "command": "x", "tools": {"a": {"kind": "reed"}}}`: false,
		`{"type": "process", "command": "x", "tools": {"a": {"king": "read"}}}`: false,
	} {
		files[`{"agents": {"a": `+agent+`}}`] = good
	}
	for policy, good := range map[string]bool{
		`{}`: true,
		`{"file": "p.json", "default": "deny", "rules": [{"allow": "read", "tool": "x*", "agent": "a", "session": "s", "folder": "~/w/**"}]}`: true,
		`{"rules": [{"permit": "read"}]}`:                false,
		`{"rules": ["read"]}`:                            false,
		`{"rules": [{"allow": 1}]}`:                      false,
		`{"default": "allow"}`:                           false,
		`{"rules": [{}]}`:                                false,
		`{"rules": [{"allow": "read", "deny": "edit"}]}`: false,
	} {
		files[`{"policy": `+policy+`}`] = good
		files[`{"agents": {"a": {"type": "glue", "policy": `+policy+`}}}`] = good
	}
	maps.Copy(files, map[string]bool{
		`{"server": "default"}`: true,
		`{"server": ""}`:        false,
		`{"server": true}`:      false,
		`{"store": {"url": "nats://x", "creds": "x.creds"}}`: true,
		`{"store": {"creds": "x.creds"}}`:                    false,
		`{"store": {"url": ""}}`:                             false,
		`{"store": {"url": "nats://x", "password": "x"}}`:    false,
		`{"store": "nats://x"}`:                              false,
		`{"folders": ["/home/me/src", "tea"]}`:               true,
		`{"folders": [""]}`:                                  false,
		`{"folders": "tea"}`:                                 false,
		`{"notify": {}}`:                                     false,
		`{"notify": {"targets": []}}`:                        true,
		`{"notify": {"targets": [{}]}}`:                      false,
		`{"notify": {"targets": {}}}`:                        false,
	})
	for target, good := range map[string]bool{
		`{"type": "desktop"}`: true,
		`{"type": "desktop", "after": "1m", "events": ["waits", "ended", "failed"]}`: true,
		`{"type": "desktop", "url": "https://x"}`:                                    false,
		`{"type": "desktop", "title": false}`:                                        true,
		`{"type": "desktop", "title": "no"}`:                                         false,
		`{"type": "desktop", "events": ["all"]}`:                                     false,
		`{"type": "desktop", "events": "waits"}`:                                     false,
		`{"type": "desktop", "after": 30}`:                                           false,
		`{"type": "webhook", "url": "$HOOK", "secret": "$SECRET"}`:                   true,
		`{"type": "webhook", "url": ""}`:                                             false,
		`{"type": "webhook", "url": "https://x", "secret": ""}`:                      false,
		`{"type": "webhook", "url": "https://x", "token": "$T"}`:                     false,
		`{"type": "webhook"}`:                                                        false,
		`{"type": "ntfy", "url": "https://ntfy.sh/x", "token": "$T"}`:                true,
		`{"type": "ntfy", "url": "https://ntfy.sh/x", "secret": "s"}`:                false,
		`{"type": "push"}`:                                                           true,
		`{"type": "push", "url": "https://x"}`:                                       false,
		`{"url": "https://x"}`:                                                       false,
	} {
		files[`{"notify": {"targets": [`+target+`]}}`] = good
	}
	for page, good := range map[string]bool{
		"https://build.example.org:7777/": true, "http://localhost": true, "https://me:secret@x/": false,
		"https://x/#token=secret": false, "https://x/?token=secret": false, "wss://x/": false, "": false,
	} {
		files[`{"notify": {"page": "`+page+`", "targets": []}}`] = good
	}
	files[`{"agents": {"A": {"type": "glue"}}}`] = false

	for file, good := range files {
		_, err := config.Parse("f", []byte(file))
		require.Equal(t, good, err == nil, "%s: %v", file, err)
		standard, err := hujson.Standardize([]byte(file))
		require.NoError(t, err)
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(standard)))
		require.NoError(t, err)
		err = s.Validate(v)
		require.Equal(t, good, err == nil, "%s: %v", file, err)
	}
}

// documented returns the first example in a language on a page of the documents.
func documented(t *testing.T, page, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", page))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```"+language+"\n")
	require.True(t, found)
	block, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	return block
}
