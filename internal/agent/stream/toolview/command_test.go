package toolview_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
)

func TestCommandReturnsTheCommandArgument(t *testing.T) {
	for args, want := range map[string]string{
		`{"command":"ls\n\"x\"","cwd":"/"}`: "ls\n\"x\"",
		`{"cmd":"pwd"}`:                     "pwd",
		`{"command":["rm","-rf","x"]}`:      `["rm","-rf","x"]`,
		`{"command":{"a":1},"cmd":"pwd"}`:   "pwd",
		`{"command":null}`:                  "",
		`{"path":"x"}`:                      "",
		`["command"]`:                       "",
		`{"command":`:                       "",
		``:                                  "",
	} {
		require.Equal(t, want, toolview.Command([]byte(args)), args)
	}
}
