package hostahp

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/spool"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

const (
	// maxTurns bounds the turns in the state of a chat, in bytes, roughly. The one that
	// ended last is always there.
	maxTurns = 4 << 20
	// maxUnspooled bounds them where nothing is kept on the disk. Then the oldest turns are
	// forgotten.
	maxUnspooled = 32 << 20
	// pageBytes and pageTurns bound what fetchTurns loads at once.
	pageBytes = 1 << 20
	pageTurns = 64
)

// earlier has the turns of a chat that its state has no room for: on the disk, if there is
// a folder for them. The host's mutex guards it.
type earlier struct {
	file  *spool.File
	ids   map[string]bool
	limit int   // of size
	sizes []int // of the turns in the state, in bytes
	size  int   // of all of them
}

func newEarlier(folder string) *earlier {
	e := &earlier{file: spool.New(folder), ids: make(map[string]bool), limit: maxTurns}
	if folder == "" {
		e.limit = maxUnspooled
	}
	return e
}

// note takes note of a turn that has ended, and takes those out of the state that are too
// much.
func (e *earlier) note(state *ahp.Chat) {
	size := state.Turns[len(state.Turns)-1].Size()
	e.sizes = append(e.sizes, size)
	e.size += size
	n := 0
	for ; e.size > e.limit && n < len(e.sizes)-1; n++ {
		e.put(&state.Turns[n])
		e.size -= e.sizes[n]
	}
	if n > 0 {
		// Clones keep nothing of the others.
		e.sizes, state.Turns = slices.Clone(e.sizes[n:]), slices.Clone(state.Turns[n:])
		state.TurnsNextCursor = e.cursor(e.file.Len())
	}
}

// put keeps a turn. Turns are read backwards, so none is read if a later one is missing.
func (e *earlier) put(t *ahp.Turn) {
	e.ids[t.ID] = true
	if e.file.Append(rawmsg.Encode(t)) != nil {
		e.close()
	}
}

// cursorPrefix begins the cursors of fetchTurns. A number follows: of the turns before.
const cursorPrefix = "before-"

// cursor returns where the turns before the nth begin, from the newest; "" if there are
// none.
func (e *earlier) cursor(n int) string {
	if n == 0 {
		return ""
	}
	return cursorPrefix + strconv.Itoa(n)
}

// page returns the newest turns before a cursor, the oldest first, and the cursor of those
// before them. ok is false for a cursor that is not one of this chat.
func (e *earlier) page(cursor string) (turns []json.RawMessage, next string, ok bool) {
	number, found := strings.CutPrefix(cursor, cursorPrefix)
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 1 || n > e.file.Len() {
		return nil, "", false
	}
	for size := 0; n > 0 && len(turns) < pageTurns; n-- {
		turn, err := e.file.Record(n - 1)
		if err != nil {
			return nil, "", false
		}
		if size += len(turn); size > pageBytes && len(turns) > 0 {
			break
		}
		turns = append(turns, turn)
	}
	slices.Reverse(turns)
	return turns, e.cursor(n), true
}

// close gives the disk free. Nothing earlier is there any more.
func (e *earlier) close() { _ = e.file.Close() } // nobody has a use for the error
