//go:build unix

package ahphost_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A named pipe in a session's folder has no writer. Waiting for one would keep the host
// from ending.
func TestNamedPipeIsRefused(t *testing.T) {
	home := t.TempDir()
	pipe := filepath.Join(home, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		a := w.connect("a")
		a.say(t, strings.Replace(hello, "%s", "a", 1))
		a.say(t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
		a.say(t, `{"jsonrpc":"2.0","id":2,"method":"createSession","params":{"channel":"turnwire:/two","provider":"turnwire","workingDirectories":["file://`+pipe+`"]}}`)
		w.settle()
		a.drain()
		for _, method := range []string{"resourceList", "resourceRead"} {
			a.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":%q,"params":{"channel":%q,"uri":"file://%s"}}`, method, session, pipe))
			w.settle()
			lines := a.drain()
			require.Len(t, lines, 1, method)
			require.Contains(t, lines[0], `"error"`, method)
		}
	})
}
