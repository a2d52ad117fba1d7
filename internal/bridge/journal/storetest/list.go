package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// list returns the ids on all pages.
func list(t *testing.T, s journal.Store, q journal.Filter) (ids []string) {
	t.Helper()
	for {
		page, err := s.List(q)
		require.NoError(t, err)
		for _, about := range page.Sessions {
			ids = append(ids, about.ID)
		}
		if page.Next == "" {
			return ids
		}
		require.Len(t, page.Sessions, q.Limit)
		q.Cursor = page.Next
	}
}

func lists(t *testing.T, s journal.Keeper) {
	require.Empty(t, list(t, s, journal.Filter{}))
	var newest []string
	for i := range 12 {
		h := journal.Header{ID: fmt.Sprintf("s%02d", i), Agent: "tea", Cwd: "/project"}
		if i%5 == 0 {
			h.Cwd = "/elsewhere"
		}
		if i%7 == 0 {
			h.Agent = "coffee"
		}
		previous := ""
		if len(newest) > 0 {
			previous = newest[0]
		}
		keepLater(t, s, h, previous)
		newest = append([]string{h.ID}, newest...)
	}
	for _, limit := range []int{1, 2, 5, 12, 100} {
		require.Equal(t, newest, list(t, s, journal.Filter{Limit: limit}))
	}
	require.Equal(t, []string{"s10", "s05", "s00"}, list(t, s, journal.Filter{Cwd: "/elsewhere", Limit: 2}))
	require.Equal(t, []string{"s00"}, list(t, s, journal.Filter{Cwd: "/elsewhere", Agent: "coffee"}))
	require.Equal(t, []string{"s07", "s00"}, list(t, s, journal.Filter{Agent: "coffee", Limit: 1}))
	require.Empty(t, list(t, s, journal.Filter{Cwd: "/nowhere"}))
	for _, cursor := range []string{"x", "!!", "MjAyNg"} {
		_, err := s.List(journal.Filter{Cursor: cursor})
		require.ErrorIs(t, err, journal.ErrCursor)
	}

	j, err := s.Own("s03")
	require.NoError(t, err)
	require.Equal(t, newest, list(t, s, journal.Filter{}), "who looks at a session does not change it")
	require.NoError(t, j.Close())
	keepLater(t, s, journal.Header{ID: "later", Cwd: "/"}, "s11")
	j, err = s.Own("s03")
	require.NoError(t, err)
	for list(t, s, journal.Filter{})[0] != "s03" { // file systems have coarse timestamps
		Add(t, j, 1)
	}
	require.NoError(t, j.Close())
}

// threeKept creates the sessions a, b and c; a was changed last.
func threeKept(t *testing.T, s journal.Store) {
	t.Helper()
	previous := ""
	for _, id := range []string{"c", "b", "a"} {
		keepLater(t, s, journal.Header{ID: id, Cwd: "/"}, previous)
		previous = id
	}
}

func gonePage(t *testing.T, s journal.Keeper) {
	threeKept(t, s)
	page, err := s.List(journal.Filter{Limit: 2})
	require.NoError(t, err)
	require.Len(t, page.Sessions, 2)
	require.NoError(t, s.Delete("b"))
	require.Equal(t, []string{"c"}, list(t, s, journal.Filter{Cursor: page.Next}))
}

func empties(t *testing.T, s journal.Keeper) {
	j, err := s.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	require.NoError(t, j.Append(1, []journal.Record{{Type: journal.TypeEvent, Data: []byte(`{"type":"prompt"}`)}}))
	require.NoError(t, j.Close())
	require.Empty(t, list(t, s, journal.Filter{}))
	about, err := s.Describe("a")
	require.NoError(t, err)
	require.True(t, about.Empty)
	for after, want := range map[time.Duration]int{time.Hour: 0, 25 * time.Hour: 1} {
		old, err := s.Outdated(journal.Retention{}, time.Now().Add(after))
		require.NoError(t, err)
		require.Len(t, old, want)
	}
	j, err = s.Own("a")
	require.NoError(t, err)
	Add(t, j, 1)
	require.NoError(t, j.Close())
	require.Equal(t, []string{"a"}, list(t, s, journal.Filter{}))
}

func prune(t *testing.T, s journal.Keeper) {
	threeKept(t, s)
	about, err := s.Describe("a")
	require.NoError(t, err)
	j, err := s.Own("c")
	require.NoError(t, err)
	deleted, err := journal.Prune(s, journal.Retention{}, time.Now())
	require.NoError(t, err)
	require.Zero(t, deleted)
	deleted, err = journal.Prune(s, journal.Retention{Bytes: about.Size + 10}, time.Now())
	require.NoError(t, err)
	require.Equal(t, 1, deleted)
	require.Equal(t, []string{"a", "c"}, list(t, s, journal.Filter{}), "what is open stays")
	require.NoError(t, j.Close())
	_, err = journal.Prune(s, journal.Retention{Age: time.Hour}, time.Now().Add(2*time.Hour))
	require.NoError(t, err)
	require.Empty(t, list(t, s, journal.Filter{}))
}
