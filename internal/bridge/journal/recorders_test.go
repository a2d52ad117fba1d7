package journal_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Several clients may show the same text. None of them shows it before it is saved, even
// if another client's goroutine is saving it.
func TestFlushWaitsForTheFlushOfAnotherGoroutine(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := journal.NewFolder(folder)
		var all journal.Recorders
		slow := func() (journal.Journal, error) {
			time.Sleep(time.Second)
			return f.Create(journal.Header{ID: "a", Cwd: "/"})
		}
		r := journal.NewRecorder(slow, all.Add)
		r.Begin()
		record(r, 1)
		go all.Flush()
		synctest.Wait()
		all.Flush()
		_, err := f.Describe("a")
		require.NoError(t, err)
		require.NoError(t, r.Close())
	})
}
