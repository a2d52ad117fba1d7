//go:build unix

package nats

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
)

// endless is a turn that outlasts a test.
const endless = "count 1000000"

// Servers have sessions with several clients each; all are counting. One server is
// killed. Its clients reconnect to the others, and see everything they have seen,
// exactly once.
func TestSessionsOfAKilledServerGoOnAtTheOthers(t *testing.T) {
	t.Parallel()
	const sessions, clients = 9, 12
	n := runNATS(t)
	cwd := t.TempDir()
	servers := []*machine{serve(t, "a", n.url(), cwd), serve(t, "b", n.url(), cwd), serve(t, "c", n.url(), cwd)}
	at := make([][]*client, len(servers))
	for i := range clients {
		k := i % len(servers)
		at[k] = append(at[k], attach(t, servers[k]))
	}
	ids := make([]string, sessions)
	second := func(i int) *client { here := at[i%len(servers)]; return here[(i/len(servers)+1)%len(here)] }
	first := func(i int) *client { here := at[i%len(servers)]; return here[i/len(servers)%len(here)] }
	for i := range ids {
		ids[i] = first(i).open(cwd)
		first(i).prompt(ids[i], endless)
		first(i).awaitPiece(ids[i], "0 ")
		second(i).load(ids[i], cwd)
	}
	for i, id := range ids {
		first(i).awaitPiece(id, " 100 ")
		second(i).awaitPiece(id, " 100 ")
	}
	servers[0].kill()
	n.expireLeasesOf(servers[0])
	var work sync.WaitGroup
	for i := 0; i < sessions; i += len(servers) {
		work.Go(func() {
			seen := max(first(i).textOf(ids[i]), second(i).textOf(ids[i]))
			b, c := at[1][i%len(at[1])], at[2][i%len(at[2])]
			b.load(ids[i], cwd)
			text := b.textOf(ids[i])
			if !strings.HasPrefix(text, seen) {
				t.Errorf("something that was seen is missing: %q is not the beginning of %q", seen, text)
			}
			if !strings.Contains(text, "This turn was interrupted") {
				t.Errorf("the turn is not said to be interrupted: %q", text)
			}
			c.load(ids[i], cwd) // through the server that owns it now
			if there := c.textOf(ids[i]); there != text {
				t.Errorf("the third server shows %q instead of %q", there, text)
			}
			if a := b.await(b.prompt(ids[i], "count 50")); a.Error != nil {
				t.Errorf("the session does not go on: %+v", a.Error)
			}
		})
	}
	work.Wait()
	require.False(t, t.Failed())
	for i, id := range ids {
		if i%len(servers) == 0 {
			all := counts(t, at[1][i%len(at[1])].textOf(id))
			require.Len(t, all, 2)
			require.Equal(t, 49, all[1])
			continue
		}
		here := first(i).textOf(id) // it has not noticed
		require.Len(t, counts(t, here), 1)
		require.NotContains(t, here, "interrupted")
	}
	for i := 0; i < sessions; i += len(servers) {
		awaitSame(t, ids[i], at[1][i%len(at[1])], at[2][i%len(at[2])])
	}
	servers[1].stop() // its sessions are free at once
	last := attach(t, servers[2])
	for i := 0; i < sessions; i += len(servers) {
		c := at[2][i%len(at[2])]
		c.awaitPiece(ids[i], "open it again to continue")
		last.load(ids[i], cwd)
		require.Equal(t, at[1][i%len(at[1])].textOf(ids[i]), last.textOf(ids[i]))
	}
}

// The agent runs elsewhere, and can load its sessions. A server is killed in the middle
// of a turn, which continues in the agent: a client that opens the session at the next
// server sees all of it.
func TestATurnContinuesIfItsAgentRunsElsewhere(t *testing.T) {
	t.Parallel()
	n := runNATS(t)
	cwd := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	agent := serveWith(t, "agent", cwd, "--", self)
	through := []string{"--store", n.url(), "--agent", "acp", "--url", agent.url}
	a, b := serveWith(t, "a", cwd, through...), serveWith(t, "b", cwd, through...)
	one, two := attach(t, a), attach(t, b)
	id := one.open(cwd)
	one.prompt(id, "count 1500")
	one.awaitPiece(id, " 100 ")
	a.kill()
	n.expireLeasesOf(a)
	two.load(id, cwd)
	two.awaitPiece(id, " 1499 ")
	all := counts(t, two.textOf(id))
	require.Equal(t, []int{1499}, all, "one turn, with nothing missing and nothing twice")
	require.NotContains(t, two.textOf(id), "interrupted")
	require.Nil(t, two.await(two.prompt(id, "count 20")).Error)
}

// kept reads the agent's messages in a session from the store.
func recordsOf(t *testing.T, s *natsstore.Store, session string) (records int) {
	t.Helper()
	for r, err := range s.Read(session, 1) {
		require.NoError(t, err)
		if r.Type == journal.TypeEvent && strings.Contains(string(r.Data), `"done"`) {
			records++
		}
	}
	return records
}

// Turns continue while NATS is away, and are saved when it is back.
func TestAKilledNATSEndsNothing(t *testing.T) {
	t.Parallel()
	n := runNATS(t)
	cwd := t.TempDir()
	a := serve(t, "a", n.url(), cwd)
	one, two := attach(t, a), attach(t, a)
	id := one.open(cwd)
	turn := one.prompt(id, "count 1500")
	one.awaitPiece(id, " 200 ")
	two.load(id, cwd)
	n.kill()
	require.Nil(t, one.await(turn).Error, "the turn goes on")
	two.awaitPiece(id, " 1499 ")
	late := two.open(cwd) // and other sessions begin
	require.Nil(t, two.await(two.prompt(late, "count 30")).Error)
	n.start()
	s := openStore(t, natsstore.Config{URL: n.url()})
	require.Eventually(t, func() bool { return recordsOf(t, s, id) == 1 }, deadline, 50*time.Millisecond)
	require.Eventually(t, func() bool { _, err := s.Describe(late); return err == nil && recordsOf(t, s, late) == 1 }, deadline, 50*time.Millisecond)
	a.kill()
	n.expireLeasesOf(a)
	b := attach(t, serve(t, "b", n.url(), cwd))
	b.load(id, cwd)
	require.Equal(t, one.textOf(id), b.textOf(id))
	require.Equal(t, []int{1499}, counts(t, b.textOf(id)))
	require.NotContains(t, b.textOf(id), "not kept")
	b.load(late, cwd)
	require.Equal(t, two.textOf(late), b.textOf(late))
}
