//go:build unix

package child_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

func TestFloodOfStderrBlocksNobody(t *testing.T) {
	c := start(t, child.Spec{}, `yes 'noise noise noise' | head -c 10485760 >&2; printf '\nthe last word' >&2; exit 4`)
	require.Equal(t, "exit status 4", c.Wait().String())
	tail := c.StderrTail()
	require.LessOrEqual(t, len(tail), 4<<10)
	require.Greater(t, len(tail), 3<<10)
	require.True(t, strings.HasSuffix(tail, "\nthe last word"), tail[len(tail)-40:])
}

func TestStderrTailIsSafeToShow(t *testing.T) {
	c := start(t, child.Spec{}, `printf '\033[31mred\033[0m \033]0;title\007caf\303\251 \377\302\233x\342\200\256y\r50%%\r\nend\000' >&2`)
	c.Wait()
	require.Equal(t, "red café xy\n50%\nend", c.StderrTail())
}

func TestStderrTailIsNotCutInsideACharacter(t *testing.T) {
	c := start(t, child.Spec{}, `i=0; while [ $i -lt 3000 ]; do printf '\342\202\254'; i=$((i+1)); done >&2; printf x >&2`)
	c.Wait()
	tail := c.StderrTail()
	require.True(t, utf8.ValidString(tail))
	require.Empty(t, strings.Trim(tail, "€x"))
}

func TestLinesOfStderrAreLogged(t *testing.T) {
	var log bytes.Buffer // read only once the child has ended
	handler := slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})
	c := start(t, child.Spec{Log: slog.New(handler)}, `echo first line >&2; head -c 10000 /dev/zero | tr '\0' x >&2; printf unended >&2`)
	c.Wait()
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 4, "a long line comes in pieces")
	require.Contains(t, lines[0], `line="first line"`)
	require.Contains(t, lines[3], "xunended")
}

func TestTheLogHasABoundedPartOfStderrAtItsDefaultLevel(t *testing.T) {
	var log bytes.Buffer // read only once the child has ended
	handler := slog.NewTextHandler(&log, nil)
	c := start(t, child.Spec{Log: slog.New(handler)}, `head -c 10000 /dev/zero | tr '\0' x >&2; echo >&2; i=0; while [ $i -lt 200 ]; do echo "line $i" >&2; i=$((i+1)); done`)
	c.Wait()
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 51)
	require.Less(t, len(lines[0]), 700, "a long line is cut")
	require.Contains(t, lines[0], "…")
	require.Contains(t, lines[1], `line="line 0"`, "once")
	require.Contains(t, lines[50], "writes a lot to stderr")
}
