//go:build unix

package nats

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// One server owns a session, and clients of all servers see and answer it: all
// updates in one order, prompts from anybody, and one answer to each question.
func TestClientsOfAllServersShareASession(t *testing.T) {
	t.Parallel()
	n := runNATS(t)
	cwd := t.TempDir()
	a, b, c := serve(t, "a", n.url(), cwd), serve(t, "b", n.url(), cwd), serve(t, "c", n.url(), cwd)
	one := attach(t, a)
	clients := []*client{one, attach(t, b), attach(t, b), attach(t, c)}
	id := one.open(cwd)
	turn := one.prompt(id, "count 600")
	one.awaitPiece(id, " 100 ")
	for _, f := range clients[1:] {
		f.load(id, cwd)
	}
	require.Nil(t, one.await(turn).Error)
	awaitSame(t, id, clients...)
	require.Equal(t, []int{599}, counts(t, one.textOf(id)))
	for i, f := range clients { // anybody prompts
		require.Nil(t, f.await(f.prompt(id, "count 40")).Error)
		awaitSame(t, id, clients...)
		require.Len(t, counts(t, one.textOf(id)), i+2)
	}
	const rounds = 20
	for round := range rounds { // everybody answers
		asker := clients[round%len(clients)]
		turn := asker.prompt(id, "ask")
		var work sync.WaitGroup
		for _, f := range clients {
			f.until("a question", func() bool { return len(f.asked[id]) == round+1 })
		}
		for _, f := range clients {
			work.Go(func() { f.allow(f.asked[id][round]) })
		}
		work.Wait()
		require.Nil(t, asker.await(turn).Error)
	}
	require.Len(t, a.decided(), 2*rounds, "a call and a decision each")
	require.Empty(t, b.decided())
	awaitSame(t, id, clients...)

	// An unanswered question is withdrawn everywhere when its turn is cancelled.
	turn = clients[1].prompt(id, "ask")
	for _, f := range clients {
		f.until("a question", func() bool { return len(f.asked[id]) == rounds+1 })
	}
	clients[3].write(map[string]any{"jsonrpc": "2.0", "method": "session/cancel", "params": map[string]string{"sessionId": id}})
	require.Nil(t, clients[1].await(turn).Error)
	for _, f := range clients {
		f.until("the withdrawal", func() bool { return f.withdraw[string(f.asked[id][rounds])] })
	}

	// The clients of other servers are notified when the owner has died, and take
	// the session over.
	a.kill()
	n.expireLeasesOf(a)
	for _, f := range clients[1:] {
		f.awaitPiece(id, "open it again to continue")
	}
	again := attach(t, c)
	again.load(id, cwd)
	require.Len(t, counts(t, again.textOf(id)), 5)
	require.Nil(t, again.await(again.prompt(id, "count 10")).Error)
}
