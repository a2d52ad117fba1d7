package journal_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

func TestWorkOnOneSessionIsInOrderAndOnOthersGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w journal.Work
		var mu sync.Mutex
		var did []string
		does := func(what string, takes time.Duration) func() {
			return func() {
				time.Sleep(takes)
				mu.Lock()
				defer mu.Unlock()
				did = append(did, what)
			}
		}
		done := func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(did)
		}
		w.Posted("a")() // nothing
		w.Post("a", does("a1", time.Hour))
		first := w.Posted("a")
		last := w.Post("a", does("a2", time.Minute))
		<-w.Post("b", does("b", time.Minute))
		require.Equal(t, []string{"b"}, done())
		first()
		require.Equal(t, []string{"b", "a1"}, done())
		<-last
		require.Equal(t, []string{"b", "a1", "a2"}, done())
		w.Post("a", does("a3", time.Hour))
		w.Post("b", does("b2", 2*time.Hour))
		w.Wait()
		require.Equal(t, []string{"b", "a1", "a2", "a3", "b2"}, done())
	})
}
