//go:build unix

package nats

import (
	"errors"
	"strings"
	"testing"
	"time"

	nats "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
)

// decisions returns a session's decisions.
func decisions(t *testing.T, n *natsProgram, session string) (all []decision) {
	t.Helper()
	return decisionsIn(t, openStore(t, natsstore.Config{URL: n.url()}), session)
}

// bucket returns a function that reads the stored questions.
func bucket(t *testing.T, url string) (read func() string) {
	t.Helper()
	c, err := nats.Connect(url)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	js, err := jetstream.New(c)
	require.NoError(t, err)
	kv, err := js.KeyValue(t.Context(), "turnwire-questions")
	require.NoError(t, err)
	return func() string {
		all, err := kv.ListKeys(t.Context())
		require.NoError(t, err)
		var text strings.Builder
		for key := range all.Keys() {
			e, err := kv.Get(t.Context(), key)
			if errors.Is(err, jetstream.ErrKeyNotFound) {
				continue
			}
			require.NoError(t, err)
			text.Write(e.Value())
		}
		return text.String()
	}
}

func TestTheNextOwnerRecordsTheOutcomeOfQuestions(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	p := newProxy(t, n.Addr().String())
	a := openStore(t, natsstore.Config{URL: p.url(), Owner: "a", Lease: time.Hour})
	b := openStore(t, natsstore.Config{URL: n.ClientURL(), Owner: "b"})
	read := bucket(t, n.ClientURL())
	j := oneRecord(t, a)
	for _, call := range []string{"open", "answered", "recorded", "twice"} {
		a.Asked("a", call, made(call, "none"))
	}
	require.NoError(t, a.Answered("a", "answered", made("answered", "allow"))())
	require.NoError(t, a.Answered("a", "recorded", made("recorded", "allow"))())
	require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: journal.TypeDecision, Data: made("recorded", "deny")}}))
	require.NoError(t, j.Sync())
	require.Equal(t, 2, strings.Count(read(), `"answered":true`))

	k := takeOver(t, p, n.ClientURL(), b) // a is assumed dead
	var verdicts []string
	for _, d := range decisionsIn(t, b, "a") {
		verdicts = append(verdicts, d.Verdict)
	}
	require.Equal(t, []string{"deny", "none", "allow", "none"}, verdicts, "what the owner recorded, and then what it did not")
	require.NotContains(t, read(), "toolCallId")

	// The previous owner is alive, but can no longer decide anything.
	require.ErrorIs(t, a.Answered("a", "open", made("open", "allow"))(), journal.ErrFenced)
	require.NotContains(t, read(), "toolCallId")
	require.Len(t, decisionsIn(t, b, "a"), 4)

	// The next owner's questions are its own, and only it can close them.
	b.Asked("a", "open", made("open", "none"))
	require.NoError(t, b.Answered("a", "open", made("open", "deny"))())
	b.Over("a")
	require.Eventually(t, func() bool { return !strings.Contains(read(), "toolCallId") }, deadline, 10*time.Millisecond)
	require.NoError(t, k.Close())
	require.NoError(t, b.Delete("a"))
	require.Empty(t, read())
}

// Forms aren't recorded, but a server that lost the session can't answer them.
func TestOnlyTheOwnerAcceptsAnswersToForms(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	p := newProxy(t, n.Addr().String())
	a := openStore(t, natsstore.Config{URL: p.url(), Owner: "a", Lease: time.Hour})
	b := openStore(t, natsstore.Config{URL: n.ClientURL(), Owner: "b"})
	oneRecord(t, a)
	a.Asked("a", "first", nil)
	require.NoError(t, a.Answered("a", "first", nil)())
	a.Asked("a", "second", nil)
	k := takeOver(t, p, n.ClientURL(), b) // a is assumed dead
	require.Empty(t, decisionsIn(t, b, "a"))
	require.ErrorIs(t, a.Answered("a", "second", nil)(), journal.ErrFenced)
	require.NoError(t, k.Close())
}

// The session may end while its list of questions is still being written.
func TestACleanlyEndedSessionLeavesNoEntry(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	s := openStore(t, natsstore.Config{URL: n.ClientURL()})
	read := bucket(t, n.ClientURL())
	j := oneRecord(t, s)
	s.Asked("a", "q", made("q", "none"))
	require.NoError(t, s.Answered("a", "q", made("q", "allow"))())
	s.Over("a")
	require.NoError(t, j.Close())
	require.Empty(t, read())
	j, err := s.Own("a")
	require.NoError(t, err)
	require.NoError(t, j.Close())
	require.Empty(t, read())
	require.Len(t, storetest.All(t, s, "a", 1), 1)
}

// While NATS is away, an answer takes effect where it is given, and is stored when
// NATS is back.
func TestAnAnswerDoesNotWaitForAnUnreachableStore(t *testing.T) {
	t.Parallel()
	n := runNATS(t)
	s := openStore(t, natsstore.Config{URL: n.url(), Lease: time.Hour})
	oneRecord(t, s)
	n.kill()
	require.Eventually(t, func() bool { _, err := s.Describe("a"); return err != nil }, deadline, time.Millisecond)
	s.Asked("a", "q", made("q", "none"))
	require.NoError(t, s.Answered("a", "q", made("q", "allow"))())
	n.start()
	read := bucket(t, n.url())
	require.Eventually(t, func() bool { return strings.Contains(read(), `"answered":true`) }, deadline, 10*time.Millisecond)
}

// A server is killed after an answer, before the waiting agent receives it: NATS has
// the answer, and the server doesn't know.
func TestAnAnswerOutlivesItsServer(t *testing.T) {
	t.Parallel()
	n := runNATS(t)
	cwd := t.TempDir()
	p := newProxy(t, n.proxy.address())
	a, b := serve(t, "a", p.url(), cwd), serve(t, "b", n.url(), cwd)
	one, there := attach(t, a), attach(t, b)
	read := bucket(t, n.url())
	id := one.open(cwd)
	one.prompt(id, "ask")
	one.until("the question", func() bool { return len(one.asked[id]) == 1 })
	require.Eventually(t, func() bool { return strings.Contains(read(), id) }, deadline, time.Millisecond)
	p.deafen()
	one.allow(one.asked[id][0])
	require.Eventually(t, func() bool { return strings.Contains(read(), `"answered":true`) }, deadline, time.Millisecond)
	a.kill()
	n.expireLeasesOf(a)

	there.load(id, cwd)
	require.Contains(t, there.textOf(id), "This turn was interrupted")
	all := decisions(t, n, id)
	require.Len(t, all, 1, "it is there, once")
	require.Equal(t, "allow", all[0].Verdict)
	require.Equal(t, "user", all[0].By)
	require.Equal(t, "test", all[0].FrontEnd.Name)
	require.Empty(t, b.decided(), "nobody gives it to another agent")
	there.mu.Lock()
	require.Empty(t, there.asked[id])
	there.mu.Unlock()
	require.Nil(t, there.await(there.prompt(id, "count 5")).Error)
	require.Len(t, decisions(t, n, id), 1)
}
