package ahphost

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
	// maxTurns is the default of Config.ChatBytes. The turn that ended last always
	// stays in the chat's state.
	maxTurns = 4 << 20
	// maxUnspooled bounds them if there is no folder on disk. Then the oldest turns are
	// dropped.
	maxUnspooled = 32 << 20
	// pageBytes and pageTurns bound one response of fetchTurns.
	pageBytes = 1 << 20
	pageTurns = 64
)

// earlier holds a chat's turns that don't fit into its state: on disk, if there is a
// folder for them. The host's mutex guards it.
type earlier struct {
	file  *spool.File
	ids   map[string]bool
	limit int   // of size
	sizes []int // of the turns in the state, in bytes
	size  int   // the sum of sizes
}

func newEarlier(folder string, limit int) *earlier {
	e := &earlier{file: spool.New(folder), ids: make(map[string]bool), limit: limit}
	if folder == "" {
		e.limit = maxUnspooled
	}
	return e
}

// note records that a turn has ended, and moves the oldest turns out of the state if it
// is too large.
func (e *earlier) note(state *ahp.Chat) {
	size := state.Turns[len(state.Turns)-1].Size()
	e.sizes = append(e.sizes, size)
	e.size += size
	n := 0
	for ; e.size > e.limit && n < len(e.sizes)-1; n++ {
		e.add(&state.Turns[n])
		e.size -= e.sizes[n]
	}
	if n > 0 {
		// Clone, so that the removed turns are freed.
		e.sizes, state.Turns = slices.Clone(e.sizes[n:]), slices.Clone(state.Turns[n:])
		state.TurnsNextCursor = e.cursor(e.file.Len())
	}
}

// cut records that only the first n turns of the state are left.
func (e *earlier) cut(n int) {
	e.sizes, e.size = e.sizes[:n:n], 0
	for _, size := range e.sizes {
		e.size += size
	}
}

// add saves a turn. Turns are read backwards. If one can't be saved, all earlier ones
// are lost, too.
func (e *earlier) add(t *ahp.Turn) {
	e.ids[t.ID] = true
	if e.file.Append(rawmsg.Encode(t)) != nil {
		e.close()
	}
}

// cursorPrefix starts the cursors of fetchTurns. The number of earlier turns follows.
const cursorPrefix = "before-"

// cursor returns a cursor for the first n turns, or "" if n is 0.
func (e *earlier) cursor(n int) string {
	if n == 0 {
		return ""
	}
	return cursorPrefix + strconv.Itoa(n)
}

// page returns the newest turns before a cursor, oldest first, and the cursor for those
// before them. ok is false if the cursor does not belong to this chat.
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

// close releases the disk space. The earlier turns are no longer available.
func (e *earlier) close() { _ = e.file.Close() } // nothing depends on the error
