//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// writer asks before it edits a file, and edits it itself.
const writer = `while read -r line; do
	case $line in
	*'"type":"prompt"'*)
		echo '{"type":"tool_confirmation_request","toolCallId":"c","toolName":"edit","args":{"path":"a.txt","old_string":"two","new_string":"2"}}' ;;
	*'"type":"tool_confirmation_response"'*)
		printf 'one\n2, in its own way\nthree\n' > a.txt
		echo '{"type":"tool_end","toolCallId":"c","ok":true}'
		echo '{"type":"done","text":""}' ;;
	esac
done`

func TestARunShowsWhatAnAgentHasWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\ntwo\nthree\n"), 0o600))
	r := turnwire(t, "", "run", "--yes", "--cwd", dir, "go", "--", "sh", "-c", writer)
	require.Zero(t, r.code, r.stderr)
	require.Contains(t, r.stdout, "a.txt +1 -1\n    1   one\n    2 - two\n    2 + 2, in its own way\n    3   three\n")
}
