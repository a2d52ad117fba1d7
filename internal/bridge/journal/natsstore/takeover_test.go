package natsstore_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
	"github.com/turnwire/turnwire/internal/test/memnats"
)

// world is a NATS server with two stores, which can be cut off.
type world struct {
	server *memnats.Server
	link   *memnats.Link // a's
	other  *memnats.Link // b's
	a, b   *natsstore.Store
	lost   chan error // a's
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{server: memnats.New(0), lost: make(chan error, 1)}
	w.link, w.other = w.server.Link(), w.server.Link()
	var err error
	w.a, err = natsstore.Open(t.Context(), natsstore.Config{
		URL: "nats://127.0.0.1:4222", Dial: w.link.Dial, Owner: "a", Lost: func(_ string, cause error) { w.lost <- cause },
	})
	require.NoError(t, err)
	w.b = open(t, w.server, natsstore.Config{Owner: "b", Dial: w.other.Dial})
	return w
}

// inBubble runs a test in virtual time. The tests that use it don't run in parallel, because
// timers must be forgotten between them.
func inBubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	defer memnats.ForgetTimers()
	synctest.Test(t, test)
}

func (w *world) session(t *testing.T) journal.Journal {
	t.Helper()
	j, err := w.a.Create(journal.Header{ID: "s", Cwd: "/"})
	require.NoError(t, err)
	storetest.Add(t, j, 1)
	return j
}

// Both may lose their leases. The one that comes back first must not take the session from the other.
func TestAServerThatLostASessionDoesNotTakeItBack(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		stale := w.session(t)
		w.link.Cut(true)
		time.Sleep(time.Minute)
		j, err := w.b.Own("s")
		require.NoError(t, err)
		storetest.Add(t, j, 1)
		w.other.Cut(true)
		time.Sleep(time.Minute)
		w.link.Cut(false)
		time.Sleep(time.Minute)
		require.ErrorIs(t, stale.Append(2, nil), journal.ErrFenced)
		w.other.Cut(false)
		time.Sleep(time.Minute)
		storetest.Add(t, j, 1)
		require.NoError(t, j.Sync())
		require.NoError(t, errors.Join(j.Close(), w.b.Close()))
		_ = w.a.Close()
	})
}

// Two servers may open a session at the same time, if their agent saves it itself.
func TestAServerIsToldThatAnotherHasItsSession(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		defer func() { require.NoError(t, errors.Join(w.a.Close(), w.b.Close())) }()
		isTold := func(_ journal.Journal, err error) {
			t.Helper()
			var owned *journal.OwnedError
			require.ErrorAs(t, err, &owned)
			require.ErrorIs(t, <-w.lost, err)
		}
		there, err := w.b.Create(journal.Header{ID: "s", Cwd: "/"})
		require.NoError(t, err)
		isTold(w.a.Create(journal.Header{ID: "s", Cwd: "/"}))
		storetest.Add(t, there, 1)
		isTold(w.a.Own("s"))

		_, err = w.a.Create(journal.Header{ID: "its own", Cwd: "/"})
		require.NoError(t, err)
		_, err = w.a.Create(journal.Header{ID: "its own", Cwd: "/"})
		require.Error(t, err)
		synctest.Wait()
		require.Empty(t, w.lost)
	})
}

// A server that is cut off loses its sessions after the lease, and its pending records.
func TestAnotherServerTakesOverAfterTheLease(t *testing.T) {
	for name, cut := range map[string]func(*memnats.Link, bool){"cut": (*memnats.Link).Cut, "stalled": (*memnats.Link).Stall} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				w := newWorld(t)
				stale := w.session(t)
				cut(w.link, true)
				began := time.Now()
				require.NoError(t, stale.Append(2, []journal.Record{{Type: "n", Data: []byte(`"stale"`)}}), "it is queued")
				owner, err := w.b.Await(t.Context(), "s")
				require.NoError(t, err)
				require.Nil(t, owner)
				require.Greater(t, time.Since(began), 10*time.Second, "it waits for the lease")
				j, err := w.b.Own("s")
				require.NoError(t, err)
				storetest.Add(t, j, 1)
				cut(w.link, false)
				require.ErrorIs(t, <-w.lost, journal.ErrFenced)
				require.ErrorIs(t, stale.Append(3, nil), journal.ErrFenced)
				require.Equal(t, []string{`{"text":"1"}`, `{"text":"2"}`}, storetest.All(t, w.b, "s", 1))
				require.NoError(t, j.Close())
				require.Error(t, w.a.Close())
				require.Empty(t, w.server.Stored("KV_turnwire-owners"))
			})
		})
	}
}

// While NATS is down, leases expire. Afterwards, no other server renames or deletes a session whose
// owner is alive, or may be.
func TestAnOwnerWithoutALeaseKeepsItsSession(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		j := w.session(t)
		w.link.Cut(true)
		w.other.Cut(true)
		time.Sleep(time.Minute)
		w.other.Cut(false)
		time.Sleep(5 * time.Second)
		require.Empty(t, w.server.Stored("KV_turnwire-owners"))
		var owned *journal.OwnedError
		_, err := w.b.Own("s")
		require.ErrorAs(t, err, &owned, "a may come back")
		require.ErrorAs(t, w.b.Delete("s"), &owned)
		w.link.Cut(false)
		time.Sleep(2 * time.Second)
		require.Empty(t, w.server.Stored("KV_turnwire-owners"), "the lease was not renewed yet")
		_, err = w.b.Own("s")
		require.ErrorAs(t, err, &owned)
		require.ErrorAs(t, w.b.Delete("s"), &owned)
		storetest.Add(t, j, 1)
		require.NoError(t, j.Close())
		require.Empty(t, w.lost)
		j, err = w.b.Own("s")
		require.NoError(t, err, "it was released")
		require.NoError(t, j.Close())
		require.NoError(t, w.a.Close())
	})
}

// Closing a session waits for a renewal of its lease that nobody answers.
func TestClosingDuringARenewalEnds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		j := w.session(t)
		w.link.Stall(true)
		time.Sleep(5 * time.Second) // a renewal is under way
		synctest.Wait()
		require.ErrorContains(t, j.Close(), "release session s", "the lease expires")
		w.link.Stall(false)
		time.Sleep(time.Minute)
		require.NoError(t, w.a.Close())
	})
}

// Servers reach each other's sessions.
func TestAServerReachesAnother(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		require.NoError(t, w.a.Accept(func(service string) func(context.Context, *natsstore.Tunnel) {
			if service != "tea" {
				return nil
			}
			return func(_ context.Context, far *natsstore.Tunnel) { _, _ = io.Copy(far, far) }
		}))
		j := w.session(t)
		owner, err := w.b.Await(t.Context(), "s")
		require.NoError(t, err)
		require.Equal(t, "a", owner.Name)
		_, err = w.b.Dial(t.Context(), owner.Server, "coffee")
		require.EqualError(t, err, "connect to the other server: unknown agent")
		near, err := w.b.Dial(t.Context(), owner.Server, "tea")
		require.NoError(t, err)
		text := strings.Repeat("tea", 1<<20)
		go func() { _, _ = io.WriteString(near, text) }()
		got := make([]byte, len(text))
		_, err = io.ReadFull(near, got)
		require.NoError(t, err)
		require.Zero(t, strings.Compare(text, string(got)))
		w.link.Cut(true)
		_, err = io.ReadAll(near)
		require.EqualError(t, err, "the connection to the other server was lost")
		w.link.Cut(false)
		time.Sleep(time.Minute)
		require.NoError(t, j.Close())
		require.NoError(t, w.a.Close())
	})
}

// What a closed session has not saved yet is saved when NATS is back, before anybody opens it
// again.
func TestTheEndOfAClosedSessionIsSavedLater(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		j := w.session(t)
		w.link.Cut(true)
		synctest.Wait()
		require.NoError(t, j.Append(2, []journal.Record{{Type: "n", Data: []byte(`{}`)}}))
		require.NoError(t, j.Close())
		require.ErrorIs(t, j.Append(3, nil), os.ErrClosed)
		time.Sleep(10 * time.Second)
		w.link.Cut(false)
		time.Sleep(5 * time.Second)
		k, err := w.a.Own("s")
		require.NoError(t, err)
		require.Equal(t, int64(3), k.Next())
		require.NoError(t, k.Close())
		k, err = w.b.Own("s")
		require.NoError(t, err, "the lease was released")
		require.NoError(t, k.Close())
		require.NoError(t, w.a.Close())
	})
}

// A store that is closed while NATS is away says what it could not save.
func TestClosingTheStoreReportsUnsavedSessions(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		j := w.session(t)
		w.link.Cut(true)
		synctest.Wait()
		require.NoError(t, j.Append(2, []journal.Record{{Type: "n", Data: []byte(`{}`)}}))
		require.EqualError(t, w.a.Close(), "the end of session s was not saved: the store is unreachable")
	})
}

// A call does not wait for a response that was lost with its connection.
func TestCallsEndWhenTheConnectionBreaks(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		j := w.session(t)
		w.link.Stall(true)
		done := make(chan error, 1)
		go func() {
			_, err := w.a.Describe("s")
			done <- err
		}()
		synctest.Wait() // it waits for NATS
		began := time.Now()
		w.link.Cut(true)
		require.ErrorIs(t, <-done, context.Canceled)
		require.Equal(t, began, time.Now())
		w.link.Stall(false)
		w.link.Cut(false)
		time.Sleep(time.Minute)
		storetest.Add(t, j, 1)
		require.NoError(t, j.Close())
		require.NoError(t, w.a.Close())
	})
}

// A session is not read in part: its owner's records may be unsent, because NATS does not answer.
func TestUnsentRecordsAreNotMissing(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		j := w.session(t)
		w.link.Stall(true)
		require.NoError(t, j.Append(2, []journal.Record{{Type: journal.TypePrompt, Data: []byte(`{"text":"2"}`)}}))
		_, err := w.a.Describe("s")
		require.ErrorIs(t, err, journal.ErrLate)
		for _, err := range w.a.Read("s", 1) {
			require.ErrorIs(t, err, journal.ErrLate)
		}
		time.AfterFunc(time.Second, func() { w.link.Stall(false) })
		require.Equal(t, []string{`{"text":"1"}`, `{"text":"2"}`}, storetest.All(t, w.a, "s", 1))
		require.NoError(t, j.Close())
		require.NoError(t, w.a.Close())
	})
}
