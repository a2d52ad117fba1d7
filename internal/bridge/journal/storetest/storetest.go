// Package storetest contains the tests that every [journal.Store] must pass.
package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Run checks a store against the contract of package journal. open returns an empty
// store.
func Run(t *testing.T, open func(t *testing.T) journal.Keeper) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, journal.Keeper){
		"a session is read as it was written":         readAsWritten,
		"a session without records leaves nothing":    nothingLeft,
		"two never own a session":                     oneOwner,
		"many who want a session get it one by one":   contended,
		"any id is taken":                             anyID,
		"a long record is whole":                      longRecords,
		"titles of the user stay":                     titles,
		"lists are the newest first, in pages":        lists,
		"a page follows a session that is gone":       gonePage,
		"where nothing was said is in no list":        empties,
		"what is not kept any more is deleted":        prune,
		"a copy has the records and the title":        copies,
		"a recorder's records are there when flushed": recorded,
		"appended records can be read at once":        readAtOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// keep creates a session with some prompts.
func keep(t *testing.T, s journal.Store, h journal.Header, records int) {
	t.Helper()
	j, err := s.Create(h)
	require.NoError(t, err)
	Add(t, j, records)
	require.NoError(t, j.Close())
}

// keepLater creates a session that was changed later than another one. It retries,
// because file systems have coarse timestamps.
func keepLater(t *testing.T, s journal.Store, h journal.Header, than string) {
	t.Helper()
	keep(t, s, h, 1)
	for than != "" {
		before, err := s.Describe(than)
		require.NoError(t, err)
		about, err := s.Describe(h.ID)
		require.NoError(t, err)
		if about.Updated.After(before.Updated) {
			return
		}
		j, err := s.Own(h.ID)
		require.NoError(t, err)
		Add(t, j, 1)
		require.NoError(t, j.Close())
	}
}

// Add appends prompts whose texts are their numbers.
func Add(t *testing.T, j journal.Journal, records int) {
	t.Helper()
	for range records {
		require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: journal.TypePrompt, Data: fmt.Appendf(nil, `{"text":"%d"}`, j.Next())}}))
	}
	require.NoError(t, j.Sync())
}

// All reads the data of a session's records, starting with number from.
func All(t *testing.T, s journal.Store, id string, from int64) (all []string) {
	t.Helper()
	for r, err := range s.Read(id, from) {
		require.NoError(t, err)
		require.Equal(t, from+int64(len(all)), r.Seq)
		all = append(all, string(r.Data))
	}
	return all
}

func readAsWritten(t *testing.T, s journal.Keeper) {
	at := time.Date(2026, 11, 22, 10, 0, 0, 5e6, time.UTC)
	h := journal.Header{ID: "tw-1", Agent: "tea", Cwd: "/project", Roots: []string{"/other"}, Created: at}
	j, err := s.Create(h)
	require.NoError(t, err)
	require.Equal(t, int64(1), j.Next())
	data := []byte(`{"text":"  \n\tTea,   please  \nnow"}`)
	require.NoError(t, j.Append(1, []journal.Record{{Time: at, Type: journal.TypePrompt, Data: data}, {Type: "event", Data: []byte(`{"a":"ü\ud83d"}`)}}))
	data[2] = 'X' // the journal must not retain it
	require.ErrorIs(t, j.Append(2, []journal.Record{{Type: "x", Data: []byte("{}")}}), journal.ErrConflict)
	require.NoError(t, j.Append(3, []journal.Record{{Type: "event", Data: []byte(`{}`)}}))
	require.NoError(t, j.Sync())
	var got []journal.Record
	for r, err := range s.Read("tw-1", 1) { // while it is open
		require.NoError(t, err)
		r.Data = []byte(string(r.Data))
		got = append(got, r)
	}
	require.Equal(t, []journal.Record{
		{Seq: 1, Time: at, Type: "prompt", Data: []byte(`{"text":"  \n\tTea,   please  \nnow"}`)},
		{Seq: 2, Type: "event", Data: []byte(`{"a":"ü\ud83d"}`)},
		{Seq: 3, Type: "event", Data: []byte(`{}`)},
	}, got)
	require.Equal(t, []string{"{}"}, All(t, s, "tw-1", 3))
	require.NoError(t, j.Close())

	about, err := s.Describe("tw-1")
	require.NoError(t, err)
	require.Equal(t, h, about.Header)
	require.Equal(t, "Tea, please", about.Title)
	require.NotZero(t, about.Size)
	_, err = s.Create(h)
	require.ErrorIs(t, err, journal.ErrExists)
	j, err = s.Own("tw-1")
	require.NoError(t, err)
	require.Equal(t, h, j.Header())
	require.Equal(t, int64(4), j.Next())
	Add(t, j, 1)
	require.NoError(t, j.Close())
	require.Len(t, All(t, s, "tw-1", 1), 4)

	require.NoError(t, s.Delete("tw-1"))
	require.ErrorIs(t, s.Delete("tw-1"), journal.ErrNotFound)
	_, err = s.Own("tw-1")
	require.ErrorIs(t, err, journal.ErrNotFound)
	for _, err := range s.Read("tw-1", 1) {
		require.ErrorIs(t, err, journal.ErrNotFound)
	}
	keep(t, s, h, 1) // the id is free again
	require.Len(t, All(t, s, "tw-1", 1), 1)
}

func nothingLeft(t *testing.T, s journal.Keeper) {
	keep(t, s, journal.Header{ID: "a", Cwd: "/"}, 0)
	_, err := s.Describe("a")
	require.ErrorIs(t, err, journal.ErrNotFound)
	page, err := s.List(journal.Filter{})
	require.NoError(t, err)
	require.Empty(t, page.Sessions)
	keep(t, s, journal.Header{ID: "a", Cwd: "/"}, 1)
}

func oneOwner(t *testing.T, s journal.Keeper) {
	j, err := s.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	Add(t, j, 1)
	for _, attempt := range []func() error{
		func() error { _, err := s.Own("a"); return err },
		func() error { return s.Delete("a") },
	} {
		owned, ok := errors.AsType[*journal.OwnedError](attempt())
		require.True(t, ok)
		require.NotEmpty(t, owned.Owner)
	}
	require.NoError(t, j.Close())
	j, err = s.Own("a")
	require.NoError(t, err)
	Add(t, j, 1)
	require.NoError(t, j.Close())
	require.Equal(t, []string{`{"text":"1"}`, `{"text":"2"}`}, All(t, s, "a", 1))
}

// contended checks that if several writers append one record each, none is lost or
// duplicated.
func contended(t *testing.T, s journal.Keeper) {
	keep(t, s, journal.Header{ID: "a", Cwd: "/"}, 1)
	const writers = 8
	var work sync.WaitGroup
	for range writers {
		work.Go(func() {
			for {
				j, err := s.Own("a")
				if _, owned := errors.AsType[*journal.OwnedError](err); owned {
					continue
				}
				if err == nil {
					err = errors.Join(j.Append(j.Next(), []journal.Record{{Type: "n", Data: []byte(`{}`)}}), j.Sync(), j.Close())
				}
				if err != nil {
					t.Error(err)
				}
				return
			}
		})
	}
	work.Wait()
	require.Len(t, All(t, s, "a", 1), writers+1)
}

func anyID(t *testing.T, s journal.Keeper) {
	ids := []string{"plain-1", "../../etc/passwd", "a/b", "A", "a", "x-1", "-", "con.", strings.Repeat("long", 100), "ü", "a\x00b", "a.b", "*", ">", "a b", "\r\n"}
	for _, id := range ids {
		keep(t, s, journal.Header{ID: id, Agent: id, Cwd: "/" + id}, 1)
		require.Len(t, All(t, s, id, 1), 1, "%q", id)
	}
	require.ElementsMatch(t, ids, list(t, s, journal.Filter{Limit: 5}))
	require.Equal(t, []string{">"}, list(t, s, journal.Filter{Agent: ">"}))
}

func longRecords(t *testing.T, s journal.Keeper) {
	j, err := s.Create(journal.Header{ID: "a", Cwd: "/" + strings.Repeat("deep/", 1000)})
	require.NoError(t, err)
	var want []string
	for i, size := range []int{10, 5 << 20, 1, 1 << 20, 300 << 10} {
		want = append(want, fmt.Sprintf(`{"n":%d,"text":"%s"}`, i, strings.Repeat("x", size)))
		require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: "n", Data: []byte(want[i])}}))
	}
	require.NoError(t, j.Sync())
	require.NoError(t, j.Close())
	j, err = s.Own("a")
	require.NoError(t, err)
	require.Equal(t, int64(len(want)+1), j.Next())
	require.NoError(t, j.Close())
	got := All(t, s, "a", 1)
	require.Len(t, got, len(want))
	for i := range want {
		require.Len(t, got[i], len(want[i]), "record %d", i)
		require.Zero(t, strings.Compare(want[i], got[i]), "record %d", i) // don't print them
	}
}

func titles(t *testing.T, s journal.Keeper) {
	j, err := s.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	Add(t, j, 1)
	title := func() string {
		require.NoError(t, j.Sync())
		about, err := s.Describe("a")
		require.NoError(t, err)
		listed, err := s.List(journal.Filter{})
		require.NoError(t, err)
		require.Equal(t, about.Title, listed.Sessions[0].Title)
		return about.Title
	}
	require.Equal(t, "1", title())
	for _, c := range []struct {
		title  string
		byUser bool
		want   string
	}{
		{"Of the agent", false, "Of the agent"},
		{"Öf the agent again ☕", false, "Öf the agent again ☕"},
		{"Of the user", true, "Of the user"},
		{"Of the agent once more", false, "Of the user"},
		{"Of the user again", true, "Of the user again"},
	} {
		require.NoError(t, j.Retitle(c.title, c.byUser))
		require.Equal(t, c.want, title())
	}
	require.NoError(t, j.Close())
	j, err = s.Own("a")
	require.NoError(t, err)
	require.NoError(t, j.Retitle("Of the agent", false))
	require.NoError(t, j.Close())
	about, err := s.Describe("a")
	require.NoError(t, err)
	require.Equal(t, "Of the user again", about.Title)
}

func copies(t *testing.T, s journal.Keeper) {
	j, err := s.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	Add(t, j, 300)
	require.NoError(t, j.Retitle("The first", true))
	require.NoError(t, j.Sync())
	to, err := journal.Copy(t.Context(), s, "a", journal.Header{ID: "b", Cwd: "/"}, nil)
	require.NoError(t, err)
	Add(t, j, 1)
	require.NoError(t, j.Close())
	require.NoError(t, to.Close())
	require.Equal(t, All(t, s, "a", 1)[:300], All(t, s, "b", 1))
	about, err := s.Describe("b")
	require.NoError(t, err)
	require.Equal(t, "The first", about.Title)
	_, err = journal.Copy(t.Context(), s, "a", journal.Header{ID: "b", Cwd: "/"}, nil)
	require.ErrorIs(t, err, journal.ErrExists)
	_, err = journal.Copy(t.Context(), s, "none", journal.Header{ID: "c", Cwd: "/"}, nil)
	require.ErrorIs(t, err, journal.ErrNotFound)

	to, err = journal.Copy(t.Context(), s, "a", journal.Header{ID: "c", Cwd: "/"}, func(r journal.Record) bool { return r.Seq == 270 })
	require.NoError(t, err)
	require.NoError(t, to.Close())
	require.Equal(t, All(t, s, "a", 1)[:269], All(t, s, "c", 1))
	about, err = s.Describe("c")
	require.NoError(t, err)
	require.Equal(t, "The first (2)", about.Title, "the user's title does not depend on the point")
	_, err = journal.Copy(t.Context(), s, "a", journal.Header{ID: "d", Cwd: "/"}, func(r journal.Record) bool { return false })
	require.ErrorIs(t, err, journal.ErrNoPoint)
	_, err = s.Describe("d")
	require.ErrorIs(t, err, journal.ErrNotFound)
}

// recorded checks that flushed records can be read by others at once.
func recorded(t *testing.T, s journal.Keeper) {
	var all journal.Recorders
	for _, id := range []string{"a", "b"} {
		r := journal.NewRecorder(func() (journal.Journal, error) { return s.Create(journal.Header{ID: id, Cwd: "/"}) }, all.Add)
		defer func() { require.NoError(t, r.Close()) }()
		r.Begin()
		for i := range 20 {
			for _, word := range []string{"one ", "two ", "three"} {
				r.AddText("text_delta", "text", strconv.Itoa(i), []byte(word))
			}
			all.Flush()
			require.NoError(t, r.Failure())
			require.Len(t, All(t, s, id, 1), i+1)
		}
	}
}

// readAtOnce checks that the owner of a session reads what it appended without a sync, also in a
// copy.
func readAtOnce(t *testing.T, s journal.Keeper) {
	j, err := s.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprintf(`{"text":"%d"}`, i))
		require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: journal.TypePrompt, Data: []byte(want[i])}}))
		about, err := s.Describe("a")
		require.NoError(t, err)
		require.False(t, about.Empty)
		id := "copy-" + strconv.Itoa(i)
		to, err := journal.Copy(t.Context(), s, "a", journal.Header{ID: id, Cwd: "/"}, nil)
		require.NoError(t, err)
		require.Equal(t, want, All(t, s, id, 1))
		require.NoError(t, to.Close())
	}
	require.NoError(t, j.Close())
}
