package ahphost

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// If nothing is saved, the oldest turns of a very long chat are dropped.
func TestWithoutAFolderOlderTurnsAreForgotten(t *testing.T) {
	const turns, size = 70, 1 << 19 // 35 MB in total
	e, chat := newEarlier("", maxTurns), new(ahp.Chat)
	for i := range turns {
		id := strconv.Itoa(i)
		chat.Turns = append(chat.Turns, ahp.Turn{ID: id, ResponseParts: []ahp.Part{{Kind: ahp.PartMarkdown, Content: ahp.NewText(strings.Repeat("x", size))}}})
		e.note(chat)
		require.Equal(t, id, chat.Turns[len(chat.Turns)-1].ID)
		require.Empty(t, chat.TurnsNextCursor)
	}
	require.Len(t, chat.Turns, maxUnspooled/size)
	require.Len(t, e.ids, turns-len(chat.Turns))
	_, _, ok := e.page(cursorPrefix + "1")
	require.False(t, ok)
}
