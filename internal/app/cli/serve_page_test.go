package cli

import (
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/page"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// hanging is a store that doesn't respond until it is released.
type hanging struct {
	journal.Store
	released chan struct{}
}

func (s hanging) List(journal.Filter) (journal.Page, error) {
	<-s.released
	return journal.Page{Sessions: []journal.Summary{{Header: journal.Header{ID: "kept", Cwd: "/w"}, Title: "Tea"}}}, nil
}

func TestAPageDoesNotWaitForAStoreThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := hanging{released: make(chan struct{})}
		h := &hubs{store: store, log: slog.New(slog.DiscardHandler)}
		open := []page.Session{{ID: "open", Agent: "a", Open: true}}
		require.Equal(t, open, h.withKept(open, map[string]string{"a": "k"}))
		close(store.released)
		all := h.withKept(open, map[string]string{"a": "k"})
		require.Len(t, all, 2)
		require.Equal(t, "Tea", all[1].Title)
		require.False(t, all[1].Open)
	})
}
