package terminal

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

func cursorAt(id, anchor, message, position, capabilities string) string {
	return fmt.Sprintf(`update {"sessionUpdate":"cursor_update","cursorId":%q,"capabilities":%s,"anchor":{"type":%q,"messageId":%q,"position":%q}}`,
		id, capabilities, anchor, message, position)
}

func heardUser(id, text string) string {
	return fmt.Sprintf(`update {"sessionUpdate":"user_message_chunk","messageId":%q,"content":{"type":"text","text":%q}}`, id, text)
}

// Cursors before messages of the user, and after the end of an answer, are places to go
// back to. Others are not.
func TestAnEarlierMessageIsEditedInAFork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left, draft string
		c := startChat(t, strings.Join([]string{
			heardUser("u1", "first "), heardUser("u1", "question\nwith a line"), cursorAt("c1", "user_message", "u1", "before", `{"fork":{}}`),
			strings.Replace(text("answer"), `"content"`, `"messageId":"a1","content"`, 1), cursorAt("c2", "agent_message", "a1", "after", `{"fork":{}}`),
			heardUser("u2", "second question"),
			heardUser("u3", "third question"), cursorAt("c3", "user_message", "u3", "before", `{}`),
			cursorAt("c4", "user_message", "nobody", "before", `{"fork":{}}`), `update {"sessionUpdate":"cursor_update","cursorId":"c5","capabilities":{"fork":{}}}`,
			"stop end_turn", `respond session/fork {"sessionId":"s2"}`,
		}, "\n"), Options{Leave: func(session, text string) { left, draft = session, text }})
		c.press("esc", "esc")
		require.NotContains(t, c.screen(), "Edit and go on from")
		c.press(`"/rewind"`, "enter")
		c.until("can't go on from an earlier message")
		c.press(`"go"`, "enter")
		c.until("done in")
		c.press("esc")
		require.Contains(t, c.screen(), "Esc again goes back")
		c.press("esc")
		require.Regexp(t, `Edit and go on from.*\n.*› second question\s*\n.*  first question\s+…`, c.screen())
		require.NotContains(t, c.screen(), "› third question")
		c.press("down", "enter")
		for quit := false; !quit; {
			msg := <-c.todo
			_, quit = msg.(tea.QuitMsg)
			c.update(msg)
		}
		require.Equal(t, "s2", left)
		require.Equal(t, "first question\nwith a line", draft)
		require.Contains(t, c.agent.answers(), `{"sessionId":"s1","cursorId":"c1","cwd":"`)
	})
}

func TestTheDraftOfAForkIsInTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, "stop end_turn", Options{Draft: "edit me"})
		require.Contains(t, c.screen(), "│ edit me")
	})
}
