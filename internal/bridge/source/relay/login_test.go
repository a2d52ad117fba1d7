package relay

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestATerminalLoginRunsTheAgentsOwnCommand(t *testing.T) {
	prefix := []string{"--", "kettle", "--acp"}
	for message, want := range map[string]string{
		`{"authMethods":[{"type":"terminal","id":"a","args":["login","-v"]}]}`: `{"authMethods":[{"type":"terminal","id":"a","args":["--","kettle","--acp","login","-v"]}]}`,
		`{"authMethods":[{"id":"b"},{"type":"terminal","args":[ ]},7]}`:        `{"authMethods":[{"id":"b"},{"type":"terminal","args":["--","kettle","--acp"]},7]}`,
		`{"authMethods":[{"type":"terminal"}]}`:                                `{"authMethods":[{"type":"terminal","args":["--","kettle","--acp"]}]}`,
		`{"authMethods":{}}`:                                                   `{"authMethods":{}}`,
		`{}`:                                                                   `{}`,
	} {
		require.Equal(t, want, string(withLogin([]byte(message), prefix)))
		require.Equal(t, message, string(withLogin([]byte(message), nil)))
	}
}
