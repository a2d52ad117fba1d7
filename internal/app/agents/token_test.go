package agents_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/agents"
)

func TestATokenGoesOnlyToItsServer(t *testing.T) {
	folder := t.TempDir()
	token := filepath.Join(folder, "token")
	require.NoError(t, os.WriteFile(token, []byte("tw_secret\n"), 0o600))
	empty := filepath.Join(folder, "empty")
	require.NoError(t, os.WriteFile(empty, []byte(" \n"), 0o600))
	two := filepath.Join(folder, "two")
	require.NoError(t, os.WriteFile(two, []byte("a\nb"), 0o600))
	c := catalogue(t, `"far": {"type": "acp-remote", "url": "wss://far.example/acp", "tokenFile": "`+token+`"},
"plain": {"type": "acp-remote", "url": "ws://far.example/acp"},
"both": {"type": "acp-remote", "url": "wss://far.example/acp", "tokenFile": "`+token+`", "headers": {"authorization": "x"}}`)
	bearer := http.Header{"Authorization": {"Bearer tw_secret"}}
	for name, r := range map[string]struct {
		request  agents.Request
		variable string
		header   http.Header
		err      string
	}{
		"a file":                        {agents.Request{Name: "acp", URL: "wss://x/acp", TokenFile: token}, "", bearer, ""},
		"the variable":                  {agents.Request{Name: "acp", URL: "https://x/acp"}, "tw_secret", bearer, ""},
		"this machine":                  {agents.Request{Name: "acp", URL: "ws://127.0.0.1:1/acp"}, "tw_secret", bearer, ""},
		"this machine by its name":      {agents.Request{Name: "acp", URL: "http://localhost:1/acp", TokenFile: token}, "", bearer, ""},
		"a file counts more":            {agents.Request{Name: "acp", URL: "wss://x/acp", TokenFile: token}, "other", bearer, ""},
		"a header counts more":          {agents.Request{Name: "acp", URL: "ws://x/acp", Headers: []string{"AUTHORIZATION: x"}}, "other", http.Header{"Authorization": {"x"}}, ""},
		"the configuration":             {agents.Request{Name: "far"}, "", bearer, ""},
		"the variable is not for it":    {agents.Request{Name: "plain"}, "other", http.Header{}, ""},
		"another server's token":        {agents.Request{Name: "far", URL: "wss://near.example/acp"}, "", http.Header{}, ""},
		"none":                          {agents.Request{Name: "acp", URL: "ws://x/acp"}, "", http.Header{}, ""},
		"the variable in plain sight":   {agents.Request{Name: "acp", URL: "ws://x/acp"}, "tw_secret", nil, "use wss:// or https://"},
		"a file in plain sight":         {agents.Request{Name: "acp", URL: "http://10.1.1.1/acp", TokenFile: token}, "", nil, "use wss:// or https://"},
		"a file for another one":        {agents.Request{Name: "plain", TokenFile: token}, "", nil, "use wss:// or https://"},
		"a file and a header":           {agents.Request{Name: "both"}, "", nil, "header is also set"},
		"no file":                       {agents.Request{Name: "acp", URL: "wss://x/acp", TokenFile: folder + "/none"}, "", nil, "no such file"},
		"an empty file":                 {agents.Request{Name: "acp", URL: "wss://x/acp", TokenFile: empty}, "", nil, "contains no token"},
		"two lines":                     {agents.Request{Name: "acp", URL: "wss://x/acp", TokenFile: two}, "", nil, "contains no token"},
		"a program":                     {agents.Request{Name: "glue", TokenFile: token}, "", nil, "does not support --token-file"},
		"a program that speaks it":      {agents.Request{Name: "acp", Command: []string{"x"}, TokenFile: token}, "", nil, "does not support --token-file"},
		"a program and a server":        {agents.Request{Name: "acp", Command: []string{"x"}, URL: "wss://x/acp"}, "", nil, "is not a server"},
		"a command for a server":        {agents.Request{Name: "far", Command: []string{"x"}}, "", nil, "is not a program"},
		"an address that it cannot use": {agents.Request{Name: "acp", URL: "ftp://x"}, "", nil, "must begin with wss://"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(agents.TokenVariable, r.variable)
			choice, err := c.Open(r.request)
			if r.err != "" {
				require.ErrorContains(t, err, r.err)
				require.NotContains(t, err.Error(), "tw_secret")
				return
			}
			require.NoError(t, err)
			require.Equal(t, r.header, choice.Relayed.Header)
			require.NotEmpty(t, choice.Relayed.URL)
		})
	}
	choice, err := c.Open(agents.Request{Name: "acp", URL: "wss://build.example:1/acp"})
	require.NoError(t, err)
	require.Equal(t, "build.example:1", choice.Relayed.Name)
}
