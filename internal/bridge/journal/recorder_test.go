package journal_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/internal/test/limits"
	"github.com/turnwire/turnwire/internal/test/memdisk"
)

// record adds a record with a number.
func record(r *journal.Recorder, n int) {
	r.Add(time.Time{}, "n", func(dst []byte) []byte { return fmt.Appendf(dst, `{"n":%d}`, n) })
}

func recorderOf(f *journal.Folder) (r *journal.Recorder, dirty *int) {
	dirty = new(int)
	return journal.NewRecorder(
		func() (journal.Journal, error) { return f.Create(journal.Header{ID: "a", Cwd: "/"}) },
		func(*journal.Recorder) { *dirty++ },
	), dirty
}

func TestBeginWritesEarlierRecords(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	r, dirty := recorderOf(f)
	record(r, 1)
	r.Flush()
	require.Zero(t, *dirty)
	require.ErrorIs(t, f.Delete("a"), journal.ErrNotFound)
	r.Begin()
	record(r, 2)
	require.Equal(t, 1, *dirty, "it is told once until it is flushed")
	r.Flush()
	require.Equal(t, []string{`{"n":1}`, `{"n":2}`}, all(t, f))
	record(r, 3)
	require.Equal(t, 2, *dirty)
	require.NoError(t, r.Close())
	require.Equal(t, []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}, all(t, f))
	record(r, 4) // it is closed
	r.Flush()
	require.NoError(t, r.Close())
	require.Len(t, all(t, f), 3)
}

func TestPiecesOfATextAreJoined(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	r, _ := recorderOf(f)
	r.Begin()
	say := func(message, text string) { r.AddText("text_delta", "text", message, rawjson.Quote(text)) }
	say("m1", "a")
	say("m1", "\n\"b")
	say("m2", "c")
	r.AddText("thinking_delta", "thinking", "m2", rawjson.Quote("d"))
	record(r, 1)
	say("m2", "e")
	r.Flush()
	say("m2", "f") // written records do not change
	long := strings.Repeat("x", 20<<10)
	say("m2", long)
	say("m2", long)
	require.NoError(t, r.Close())
	require.Equal(t, []string{
		`{"type":"text_delta","messageId":"m1","text":"a\n\"b"}`,
		`{"type":"text_delta","messageId":"m2","text":"c"}`,
		`{"type":"thinking_delta","messageId":"m2","thinking":"d"}`,
		`{"n":1}`,
		`{"type":"text_delta","messageId":"m2","text":"e"}`,
		`{"type":"text_delta","messageId":"m2","text":"f` + long + `"}`,
		`{"type":"text_delta","messageId":"m2","text":"` + long + `"}`,
	}, all(t, f))
}

func TestASessionExistsOnceItBegins(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	r, dirty := recorderOf(f)
	r.Begin()
	require.Equal(t, 1, *dirty)
	r.Flush()
	require.Empty(t, all(t, f))
	require.NoError(t, r.Close())
	j, err := f.Own("a")
	require.NoError(t, err)
	require.Equal(t, int64(1), j.Next())
	require.NoError(t, j.Close())
}

func TestATitleMayComeFirst(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	r, _ := recorderOf(f)
	require.NoError(t, r.Retitle("Tea", true))
	r.Begin()
	record(r, 1)
	require.NoError(t, r.Close())
	s, err := f.Describe("a")
	require.NoError(t, err)
	require.Equal(t, "Tea", s.Title)
	require.Error(t, r.Retitle("Coffee", true), "it is closed")
}

func TestAFailureIsReportedOnceAndEndsTheRecord(t *testing.T) {
	failed := errors.New("the disk is full")
	opened := 0
	r := journal.NewRecorder(func() (journal.Journal, error) { opened++; return nil, failed }, func(*journal.Recorder) {})
	r.Begin()
	require.NoError(t, r.Failure())
	for range 3 {
		record(r, 1)
		r.Flush()
		r.Sync()
	}
	require.Equal(t, 1, opened)
	require.Equal(t, failed, r.Failure())
	require.NoError(t, r.Failure())
	require.NoError(t, r.Close())
}

func TestPendingRecordsAreBounded(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	r, _ := recorderOf(f)
	text := rawjson.Quote(strings.Repeat("x", 1<<10))
	for range 2 << 10 {
		r.AddText("text_delta", "text", "m", text)
	}
	r.Begin()
	r.Flush()
	held := len(strings.Join(all(t, f), ""))
	require.Less(t, held, 2<<20, "of a session that has not begun")
	for range 2 << 10 {
		r.AddText("text_delta", "text", "m", text) // and nobody flushes
	}
	limits.Eventually(t, func() bool { return len(strings.Join(all(t, f), "")) > held+1<<20 }, "too much waits")
	require.NoError(t, r.Close())
}

// A slowJournal's records are only written when the test allows it.
type slowJournal struct {
	journal.Journal
	write chan struct{}
}

func (j slowJournal) Append(expected int64, records []journal.Record) error {
	<-j.write
	return j.Journal.Append(expected, records)
}

func TestManyRecordsThatAreAddedDuringAWriteAreWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, write := journal.NewFolder(t.TempDir()), make(chan struct{})
		r := journal.NewRecorder(func() (journal.Journal, error) {
			j, err := f.Create(journal.Header{ID: "a", Cwd: "/"})
			return slowJournal{j, write}, err
		}, func(*journal.Recorder) {})
		r.Begin()
		text := rawjson.Quote(strings.Repeat("x", 300<<10))
		for range 2 {
			r.AddText("text_delta", "text", "m", text)
			synctest.Wait() // the first text is being written
		}
		for range 2 {
			select {
			case write <- struct{}{}:
			case <-time.After(time.Minute):
				t.Error("the second text waits for a third")
			}
		}
		close(write)
		require.NoError(t, r.Close())
	})
}

func TestRecordsKeepTheirOrderWhileTheyAreWritten(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	r, _ := recorderOf(f)
	r.Begin()
	var flushing sync.WaitGroup
	over := make(chan struct{})
	flushing.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
				r.Flush()
				r.Sync()
			}
		}
	})
	const records = 2000
	for i := range records {
		record(r, i+1)
	}
	close(over)
	flushing.Wait()
	require.NoError(t, r.Close())
	got := all(t, f)
	require.Len(t, got, records)
	for i, data := range got {
		require.Equal(t, fmt.Sprintf(`{"n":%d}`, i+1), data)
	}
}

// A session may begin as a copy of another. That is not known before its first record
// is written.
func TestRecordsFollowExistingOnes(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	r := journal.NewRecorder(func() (journal.Journal, error) {
		j, err := f.Create(journal.Header{ID: "a", Cwd: "/"})
		if err != nil {
			return nil, err
		}
		return j, j.Append(1, []journal.Record{{Type: "n", Data: []byte(`{"n":1}`)}, {Type: "n", Data: []byte(`{"n":2}`)}})
	}, func(*journal.Recorder) {})
	at := time.Date(2026, 11, 23, 1, 2, 3, 4e6, time.UTC)
	record(r, 3)
	r.AddText("text_delta", "text", "m", rawjson.Quote("a"))
	r.Begin()
	r.Flush()
	r.Add(at, "n", func(dst []byte) []byte { return append(dst, `{"n":5}`...) })
	r.AddText("text_delta", "text", "m", rawjson.Quote("b"))
	r.AddText("text_delta", "text", "m", rawjson.Quote("c"))
	require.NoError(t, r.Close())
	var got []string
	for r, err := range f.Read("a", 1) {
		require.NoError(t, err)
		got = append(got, fmt.Sprintf("%d %s %t %s", r.Seq, r.Type, r.Time.Equal(at), r.Data))
	}
	require.Equal(t, []string{
		`1 n false {"n":1}`,
		`2 n false {"n":2}`,
		`3 n false {"n":3}`,
		`4 event false {"type":"text_delta","messageId":"m","text":"a"}`,
		`5 n true {"n":5}`,
		`6 event false {"type":"text_delta","messageId":"m","text":"bc"}`,
	}, got)
}

// A caller may hold a lock while it adds records, so that never waits. What is added by an agent
// that doesn't stop is limited by AwaitRoom.
func TestAddingDoesNotWaitForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := memdisk.New()
		f := journal.NewFolderIn(disk, "/sessions")
		r, _ := recorderOf(f)
		r.Begin()
		r.Flush()
		disk.Slow(time.Hour)
		began := time.Now()
		long := strings.Repeat("x", 100<<10)
		add := func() { r.AddData(time.Now(), "n", []byte(`"`+long+`"`)) }
		for range 5 {
			add()
			r.AwaitRoom()
		}
		synctest.Wait() // some are being written
		for range 20 {
			add()
		}
		require.Equal(t, began, time.Now())
		r.AwaitRoom()
		require.NotEqual(t, began, time.Now())
		disk.Slow(0)
		require.NoError(t, r.Close())
		require.Len(t, all(t, f), 25)
	})
}

// A session that was deleted is not written again.
func TestNothingIsAddedToAnEndedRecorder(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	r, _ := recorderOf(f)
	r.Begin()
	record(r, 1)
	r.End()
	record(r, 2)
	r.AddText("text_delta", "text", "m", rawjson.Quote("late"))
	require.NoError(t, r.Close())
	require.Equal(t, []string{`{"n":1}`}, all(t, f))
}
