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

// An agent works on while no editor is connected. What it does is saved all the same.
func TestWhatNobodyIsShownIsFlushed(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		f := journal.NewFolder(folder)
		var all journal.Recorders
		r := journal.NewRecorder(func() (journal.Journal, error) { return f.Create(journal.Header{ID: "a", Cwd: "/"}) }, all.Add)
		r.Begin()
		for n := range 3 {
			record(r, n+1)
			time.Sleep(2 * time.Second)
			synctest.Wait()
			saved := 0
			for _, err := range f.Read("a", 1) {
				require.NoError(t, err)
				saved++
			}
			require.Equal(t, n+1, saved)
		}
		require.NoError(t, r.Close())
	})
}
