package journal_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

func TestWorkOnOneSessionIsInOrderAndOnOthersGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w journal.Work
		var did []string
		does := func(what string, takes time.Duration) func() {
			return func() {
				time.Sleep(takes)
				did = append(did, what)
			}
		}
		w.Posted("a")() // nothing
		w.Post("a", does("a1", time.Hour))
		first := w.Posted("a")
		last := w.Post("a", does("a2", time.Minute))
		<-w.Post("b", does("b", time.Minute))
		require.Equal(t, []string{"b"}, did)
		first()
		require.Equal(t, []string{"b", "a1"}, did)
		<-last
		require.Equal(t, []string{"b", "a1", "a2"}, did)
		w.Post("a", does("a3", time.Hour))
		w.Post("b", does("b2", 2*time.Hour))
		w.Wait()
		require.Equal(t, []string{"b", "a1", "a2", "a3", "b2"}, did)
	})
}
