package relay_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A request that waits because the editor reads slowly is dropped when the editor leaves.
func TestNoRequestFollowsTheLastResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, nil)
		s.greet()
		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
		s.read(s.heard, "session/prompt")
		go func() {
			title := strings.Repeat("x", 10_000)
			for n := range 50 {
				_, _ = fmt.Fprintf(s.agent, `{"jsonrpc":"2.0","id":"p%d","method":"session/request_permission","params":{"sessionId":"S","toolCall":{"toolCallId":"c%d","title":%q},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}`+"\n", n, n, title)
			}
		}()
		synctest.Wait()
		require.NoError(t, s.in.Close())
		synctest.Wait()
		rest := s.end()
		answered := false
		for _, line := range rest {
			answered = answered || strings.Contains(line, `"stopReason":"cancelled"`)
			if answered {
				require.NotContains(t, line, "session/request_permission")
			}
		}
		require.True(t, answered)
	})
}
