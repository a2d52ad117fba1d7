package nats

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	nats "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
)

// deadline is long enough for a busy machine. Many sessions need more.
var deadline = time.Minute + time.Duration(number("TURNWIRE_SESSIONS", 0))*time.Second

func oneRecord(t *testing.T, s journal.Store) journal.Journal {
	t.Helper()
	j, err := s.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	storetest.Add(t, j, 1)
	return j
}

func TestAnOwnerThatLivesKeepsItsSession(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	a := openStore(t, natsstore.Config{URL: n.ClientURL(), Owner: "a", Lease: time.Hour, Renew: time.Millisecond})
	b := openStore(t, natsstore.Config{URL: n.ClientURL(), Owner: "b"})
	renewed, err := owners(t, n.ClientURL()).WatchAll(t.Context(), jetstream.UpdatesOnly())
	require.NoError(t, err)
	j := oneRecord(t, a)
	for range 20 {
		require.NotNil(t, <-renewed.Updates())
		_, err := b.Own("a")
		owned, ok := errors.AsType[*journal.OwnedError](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, "a", owned.Owner)
	}
	require.NoError(t, renewed.Stop())
	storetest.Add(t, j, 1)
	require.NoError(t, j.Close())
	k, err := b.Own("a")
	require.NoError(t, err, "Close releases the lease")
	require.NoError(t, k.Close())
}

// owners opens the bucket with the leases.
func owners(t *testing.T, url string) jetstream.KeyValue {
	t.Helper()
	c, err := nats.Connect(url)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	require.NoError(t, err)
	kv, err := js.KeyValue(t.Context(), "turnwire-owners")
	require.NoError(t, err)
	return kv
}

// expire expires the leases of the owners whose names begin with prefix.
func expire(t *testing.T, url, prefix string) {
	t.Helper()
	kv := owners(t, url)
	keys, err := kv.ListKeys(t.Context())
	require.NoError(t, err)
	for key := range keys.Keys() {
		e, err := kv.Get(t.Context(), key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			continue // released in the meantime
		}
		require.NoError(t, err)
		var lease struct{ Owner string }
		require.NoError(t, json.Unmarshal(e.Value(), &lease))
		if strings.HasPrefix(lease.Owner, prefix) {
			require.NoError(t, kv.Purge(t.Context(), key))
		}
	}
}

// takeOver lets b own a session whose owner is behind a stalled proxy, and has lost its lease.
func takeOver(t *testing.T, p *proxy, url string, b *natsstore.Store) (j journal.Journal) {
	t.Helper()
	p.stall()
	until(t, "b owns the session", func() bool { // its owner may have renewed the lease just before
		expire(t, url, "")
		var err error
		j, err = b.Own("a")
		return err == nil
	})
	p.goOn()
	return j
}

// An owner that only seemed dead can't write anything once another server owns the
// session.
func TestAStaleOwnerIsFenced(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	p := newProxy(t, n.Addr().String())
	lost := make(chan string, 1)
	a := openStore(t, natsstore.Config{URL: p.url(), Lease: time.Hour, Lost: func(id string, cause error) {
		lost <- id + ": " + cause.Error()
	}})
	b := openStore(t, natsstore.Config{URL: n.ClientURL()})
	stale := oneRecord(t, a)
	j := takeOver(t, p, n.ClientURL(), b)
	require.NoError(t, stale.Append(2, []journal.Record{{Type: "n", Data: []byte(`"stale"`)}}), "it is queued")
	require.ErrorIs(t, stale.Sync(), journal.ErrFenced)
	require.ErrorIs(t, stale.Append(3, nil), journal.ErrFenced)
	require.Equal(t, "a: save session: another server took over the session", <-lost)
	storetest.Add(t, j, 1)
	require.Error(t, stale.Close())
	_, err := a.Own("a")
	_, owned := errors.AsType[*journal.OwnedError](err)
	require.True(t, owned, "the stale owner has not given up the lease of the other")
	require.NoError(t, j.Close())
	require.Equal(t, []string{`{"text":"1"}`, `{"text":"2"}`}, storetest.All(t, b, "a", 1))
}

// An idle owner notices through its lease.
func TestAnIdleStaleOwnerIsNotified(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	p := newProxy(t, n.Addr().String())
	lost := make(chan error, 1)
	a := openStore(t, natsstore.Config{URL: p.url(), Lease: time.Hour, Renew: 10 * time.Millisecond, Lost: func(_ string, cause error) { lost <- cause }})
	b := openStore(t, natsstore.Config{URL: n.ClientURL(), Owner: "the other"})
	oneRecord(t, a)
	takeOver(t, p, n.ClientURL(), b)
	require.EqualError(t, <-lost, "another server took over the session: the other")
}

// Nobody else claims the session of an owner whose lease has expired.
func TestAnExpiredLeaseIsTakenAgain(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	a := openStore(t, natsstore.Config{URL: n.ClientURL(), Lease: time.Hour, Renew: 10 * time.Millisecond})
	b := openStore(t, natsstore.Config{URL: n.ClientURL()})
	j := oneRecord(t, a)
	expire(t, n.ClientURL(), "")
	kv := owners(t, n.ClientURL())
	until(t, "the lease is taken again", func() bool {
		keys, err := kv.ListKeys(t.Context())
		require.NoError(t, err)
		for range keys.Keys() {
			return true
		}
		return false
	})
	_, err := b.Own("a")
	_, owned := errors.AsType[*journal.OwnedError](err)
	require.True(t, owned, "%v", err)
	storetest.Add(t, j, 1)
	require.NoError(t, j.Close())
}

// restart stops a server and starts it again with its files, behind its proxy.
func restart(t *testing.T, n *server.Server, p *proxy, between func()) {
	t.Helper()
	dir := strings.TrimSuffix(n.JetStreamConfig().StoreDir, "/jetstream")
	n.Shutdown()
	n.WaitForShutdown()
	between()
	p.retarget(startNATS(t, func(o *server.Options) { o.StoreDir = dir }).Addr().String())
}

// While the server is away, nothing waits for it, and nothing is lost.
func TestRecordsAppendedDuringAnOutageAreSaved(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	p := newProxy(t, n.Addr().String())
	s := openStore(t, natsstore.Config{URL: p.url(), Lease: time.Hour})
	j := oneRecord(t, s)
	const more = 500
	restart(t, n, p, func() {
		require.Eventually(t, func() bool {
			return errors.Is(j.Append(j.Next(), []journal.Record{{Type: "n", Data: []byte(`{}`)}}), nil) && errors.Is(j.Sync(), journal.ErrLate)
		}, deadline, time.Millisecond)
		for range more {
			require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: "n", Data: []byte(`{}`)}}))
			require.NoError(t, j.(journal.Settler).Settle())
			require.ErrorIs(t, j.Sync(), journal.ErrLate)
		}
	})
	require.Eventually(t, func() bool { return j.Sync() == nil }, deadline, 10*time.Millisecond)
	last := j.Next() - 1
	require.NoError(t, j.Close())
	require.Len(t, storetest.All(t, s, "a", 1), int(last))
}

// A session that begins while the server is away exists when it is back.
func TestASessionStartedDuringAnOutageIsSaved(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	p := newProxy(t, n.Addr().String())
	a := openStore(t, natsstore.Config{URL: p.url(), Lease: time.Hour})
	b := openStore(t, natsstore.Config{URL: p.url()})
	require.NoError(t, oneRecord(t, b).Close())
	var early, taken, left journal.Journal
	restart(t, n, p, func() {
		begin := func(id string) journal.Journal {
			t.Helper()
			j, err := a.Create(journal.Header{ID: id, Cwd: "/"})
			require.NoError(t, err)
			for range 3 {
				require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: "n", Data: []byte(`{}`)}}))
			}
			return j
		}
		require.Eventually(t, func() bool { _, err := a.Describe("a"); return !errors.Is(err, nil) }, deadline, time.Millisecond)
		early, taken, left = begin("early"), begin("a"), begin("left")
		require.ErrorIs(t, early.Sync(), journal.ErrLate)
		require.NoError(t, left.Close(), "its end waits")
	})
	require.Eventually(t, func() bool { return early.Sync() == nil }, deadline, 10*time.Millisecond)
	require.Eventually(t, func() bool { _, err := b.Describe("early"); return err == nil }, deadline, 10*time.Millisecond)
	require.Len(t, storetest.All(t, b, "early", 1), 3)
	_, err := b.Own("early")
	_, owned := errors.AsType[*journal.OwnedError](err)
	require.True(t, owned, "%v", err)
	require.NoError(t, early.Close())
	require.Eventually(t, func() bool { return errors.Is(taken.Sync(), journal.ErrExists) }, deadline, 10*time.Millisecond)
	require.Len(t, storetest.All(t, b, "a", 1), 1, "what was there stays")
	require.ErrorIs(t, taken.Close(), journal.ErrExists)
	require.Eventually(t, func() bool { _, err := b.Describe("left"); return err == nil }, deadline, 10*time.Millisecond)
	require.Len(t, storetest.All(t, b, "left", 1), 3)
}

// Pending records are limited. Beyond the limit the session is no longer saved, and
// what is saved is its beginning.
func TestTooManyPendingRecordsAreAnError(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	s := openStore(t, natsstore.Config{URL: n.ClientURL(), Lease: time.Hour})
	j := oneRecord(t, s)
	n.Shutdown()
	n.WaitForShutdown()
	data := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	var err error
	for i := 0; err == nil; i++ {
		require.Less(t, i, 100, "there is a bound")
		err = j.Append(j.Next(), []journal.Record{{Type: "n", Data: data}})
	}
	require.ErrorContains(t, err, "too many records are waiting")
	require.Error(t, j.Close())
	_, err = s.Own("a")
	require.ErrorContains(t, err, "is unreachable", "it does not wait for what is known to be away")
}

// Others may write to the stream, and a crash may leave an incomplete text.
func TestForeignMessagesInTheStreamAreErrors(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	s := openStore(t, natsstore.Config{URL: n.ClientURL(), Lease: time.Hour})
	require.NoError(t, oneRecord(t, s).Close())
	c, err := nats.Connect(n.ClientURL())
	require.NoError(t, err)
	defer c.Close()
	js, err := jetstream.New(c)
	require.NoError(t, err)
	stream, err := js.Stream(t.Context(), "TURNWIRE")
	require.NoError(t, err)
	last, err := stream.GetMsg(t.Context(), 1)
	require.NoError(t, err)
	write := func(subject, text string, headers ...string) {
		m := nats.NewMsg(subject)
		m.Data = []byte(text)
		for i := 0; i < len(headers); i += 2 {
			m.Header.Set(headers[i], headers[i+1])
		}
		_, err := js.PublishMsg(t.Context(), m)
		require.NoError(t, err)
	}
	state := last.Header.Get("Turnwire-State")

	write(last.Subject, `{"seq":2,"type":"n",`, "Turnwire-State", state, "Turnwire-More", "1", "Turnwire-Part", "0")
	require.Len(t, storetest.All(t, s, "a", 1), 1, "a part alone is no record")
	j, err := s.Own("a")
	require.NoError(t, err)
	storetest.Add(t, j, 1)
	require.NoError(t, j.Close())
	require.Len(t, storetest.All(t, s, "a", 1), 2)

	write("turnwire.session.x.y.z", "hello")
	write("turnwire.session.x.y.w", "hello", "Turnwire-State", state)
	page, err := s.List(journal.Filter{})
	require.NoError(t, err)
	require.Len(t, page.Sessions, 1)
	require.Len(t, page.Unread, 2, "they are not there, but not silently")
	for _, unread := range page.Unread {
		require.ErrorIs(t, unread, journal.ErrForeign)
	}
	for name, headers := range map[string][]string{
		"a later part":      {"Turnwire-Part", "3"},
		"no part":           {"Turnwire-Part", "-1"},
		"a record too many": nil,
	} {
		t.Run(name, func(t *testing.T) {
			write(last.Subject, `{"seq":9,"type":"n","data":{}}`+"\n", append(headers, "Turnwire-State", state)...)
			var failed error
			for _, err := range s.Read("a", 1) {
				failed = err
			}
			require.ErrorIs(t, failed, journal.ErrDamaged)
			require.ErrorContains(t, failed, last.Subject)
			info, err := stream.Info(t.Context())
			require.NoError(t, err)
			require.NoError(t, stream.DeleteMsg(t.Context(), info.State.LastSeq))
		})
	}
	write(last.Subject, "", "Turnwire-State", `{"next":0}`)
	_, err = s.Own("a")
	require.ErrorIs(t, err, journal.ErrDamaged)
}

func TestAnUnusableServerIsReportedAtTheStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*server.Options)
		cfg    natsstore.Config
		want   string
	}{
		"no JetStream":   {func(o *server.Options) { o.JetStream = false }, natsstore.Config{}, "JetStream is not enabled"},
		"short messages": {func(o *server.Options) { o.MaxPayload = 4 << 10 }, natsstore.Config{}, "its max_payload is 4096 bytes"},
		"a password":     {func(o *server.Options) { o.Username, o.Password = "me", "secret" }, natsstore.Config{User: "me", Password: "wrong"}, "Authorization Violation"},
		"no credentials": {nil, natsstore.Config{Creds: "/nowhere/a.creds"}, "/nowhere/a.creds"},
	} {
		t.Run(name, func(t *testing.T) {
			c.cfg.URL = startNATS(t, c.change).ClientURL()
			_, err := natsstore.Open(t.Context(), c.cfg)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := natsstore.Open(t.Context(), natsstore.Config{URL: "nats://me:secret@127.0.0.1:1"})
	require.ErrorContains(t, err, "the store nats://xxxxx@127.0.0.1:1: ")
	require.NotContains(t, err.Error(), "secret")
}

// Two servers start at once with an empty NATS.
func TestTheFirstServerCreatesTheStream(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	opened := make(chan error)
	for range 5 {
		go func() {
			s, err := natsstore.Open(t.Context(), natsstore.Config{URL: n.ClientURL()})
			if err == nil {
				err = s.Close()
			}
			opened <- err
		}()
	}
	for range 5 {
		require.NoError(t, <-opened)
	}
}
