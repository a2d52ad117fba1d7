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

// Leases expire while NATS is away. A server that comes back first takes no sessions
// from other living servers.
func TestALivingServerWithoutALeaseKeepsItsSessions(t *testing.T) {
	t.Parallel()
	n := runNATS(t)
	cwd := t.TempDir()
	a, b := serve(t, "a", n.url(), cwd), serve(t, "b", n.url(), cwd)
	one, two := attach(t, a), attach(t, b)
	id := one.open(cwd)
	turn := one.prompt(id, "count 400")
	one.awaitPiece(id, " 100 ")
	expire(t, n.url(), "")
	two.load(id, cwd)
	require.Nil(t, one.await(turn).Error)
	awaitSame(t, id, one, two)
	require.Equal(t, []int{399}, counts(t, two.textOf(id)))

	n.kill()
	require.Nil(t, one.await(one.prompt(id, "count 20")).Error)
	n.start()
	expire(t, n.url(), "")
	// Messages to the other server are lost, unless they were sent so late that NATS was
	// back.
	whole := one.textOf(id)
	two.until("the turn, or that it is lost", func() bool {
		text := two.textLocked(id)
		return strings.Contains(text, "open it again to continue") || text == whole
	})
	three := attach(t, b)
	require.Eventually(t, func() bool { return three.await(three.beginLoad(id, cwd)).Error == nil }, deadline, 10*time.Millisecond)
	require.Nil(t, one.await(one.prompt(id, "count 30")).Error)
	awaitSame(t, id, one, three)
	require.Equal(t, []int{399, 19, 29}, counts(t, one.textOf(id)))
}

// A server that can't reach NATS is assumed dead. When it reconnects, it ends the
// sessions that it lost, and nothing it did in the meantime is in them.
func TestAServerBehindAPartitionIsFenced(t *testing.T) {
	t.Parallel()
	n := runNATS(t)
	cwd := t.TempDir()
	p := newProxy(t, n.proxy.address())
	first := serve(t, "a", p.url(), cwd)
	one := attach(t, first)
	two := attach(t, serve(t, "b", n.url(), cwd))
	id := one.open(cwd)
	turn := one.prompt(id, endless)
	one.awaitPiece(id, " 100 ")

	p.stall()
	n.expireLeasesOf(first)
	two.load(id, cwd)
	require.Contains(t, two.textOf(id), "This turn was interrupted")
	require.Nil(t, two.await(two.prompt(id, "count 30")).Error)
	p.goOn()
	ended := one.await(turn)
	require.NotNil(t, ended.Error)
	require.Contains(t, ended.Error.Message+ended.Error.Data.Details, "another server took over the session")
	one.awaitPiece(id, "This session ended here")
	require.Len(t, counts(t, one.textOf(id)), 1)

	again := attach(t, first)
	again.load(id, cwd) // through the server that owns it
	require.Equal(t, two.textOf(id), again.textOf(id))
	require.Nil(t, again.await(again.prompt(id, "count 20")).Error)
	awaitSame(t, id, again, two)
	three := attach(t, serve(t, "c", n.url(), cwd))
	three.load(id, cwd)
	require.Equal(t, two.textOf(id), three.textOf(id))
	all := counts(t, three.textOf(id))
	require.Len(t, all, 3)
	require.Equal(t, []int{29, 19}, all[1:])
}

// Each answered question has exactly one answer. A question that died with its server
// has none, not even from somebody who opens the session elsewhere.
func TestPermissionIsGivenAtMostOnce(t *testing.T) {
	t.Parallel()
	n := runNATS(t)
	cwd := t.TempDir()
	a, b := serve(t, "a", n.url(), cwd), serve(t, "b", n.url(), cwd)
	one, two, there := attach(t, a), attach(t, a), attach(t, b)
	id := one.open(cwd)
	two.load(id, cwd)
	const rounds = 20
	for round := range rounds {
		turn := one.prompt(id, "ask")
		var work sync.WaitGroup
		for _, f := range []*client{one, two} {
			f.until("a question", func() bool { return len(f.asked[id]) == round+1 })
		}
		for _, f := range []*client{one, two} {
			work.Go(func() { f.allow(f.asked[id][round]) })
		}
		work.Wait()
		require.Nil(t, one.await(turn).Error)
	}
	require.Len(t, a.decided(), 2*rounds, "a call and a decision each")
	one.prompt(id, "ask")
	one.until("the last question", func() bool { return len(one.asked[id]) == rounds+1 })
	read := bucket(t, n.url())
	recordsOf := func() bool {
		questions := read()
		return strings.Contains(questions, id) && !strings.Contains(questions, `"answered":true`)
	}
	require.Eventually(t, recordsOf, deadline, time.Millisecond, "a client end may know of it before NATS does")
	a.kill()
	n.expireLeasesOf(a)
	there.load(id, cwd)
	require.Contains(t, there.textOf(id), "This turn was interrupted")
	require.Nil(t, there.await(there.prompt(id, "count 5")).Error)
	there.mu.Lock()
	require.Empty(t, there.asked[id])
	there.mu.Unlock()
	require.Len(t, a.decided(), 2*rounds)
	require.Empty(t, b.decided())
	made := decisions(t, n, id)
	require.Len(t, made, rounds+1)
	for _, d := range made[:rounds] {
		require.Equal(t, "allow", d.Verdict)
	}
	require.Equal(t, decision{Verdict: "none", By: "nobody", Reason: "its server died before anyone answered"}, made[rounds])
}
