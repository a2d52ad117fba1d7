//go:build unix

package soak

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// A run is a server, its clients, and what happens.
type run struct {
	t       *testing.T
	server  *server
	folder  string         // of all sessions
	clients sync.WaitGroup // their readers
	work    sync.WaitGroup // messages that are being sent
	all     []*client
	mirrors []*mirror
	judge   *client // not behind the proxy
	final   figures

	closing sync.Mutex // held while the judge closes what is left

	mu     sync.Mutex
	chosen map[string]bool // requests and their answers by people
	over   map[string]bool // sessions that reached their end

	violations, ended, left, reopened, prompts, cancels, defied, updates, reloads, allowed, rejected, withdrawn atomic.Int64
}

// violate records that a law is broken.
func (r *run) violate(format string, args ...any) {
	r.violations.Add(1)
	r.t.Errorf(format, args...)
}

// enough is after how many violations no more sessions begin.
const enough = 20

// pick chooses a client of one of the kinds.
func (r *run) pick(random *rand.Rand, kinds ...kind) *client {
	wanted := kinds[random.IntN(len(kinds))]
	var able []*client
	for _, c := range r.all {
		if c.kind == wanted {
			able = append(able, c)
		}
	}
	return able[random.IntN(len(able))]
}

// Many clients use many sessions over a network that breaks.
func TestNothingIsLostOverABadNetwork(t *testing.T) {
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano()) //nolint:gosec // any number will do
	}
	t.Logf("-soak.seed %d", *seed)
	r := &run{t: t, server: serve(t, *seed), folder: t.TempDir(), chosen: make(map[string]bool), over: make(map[string]bool)}
	atOnce := min(*open, *sessions)
	r.gather(max(len(mix), min(54, atOnce/2)))
	began, early := time.Now(), make(chan figures, 1)
	minute := time.AfterFunc(time.Minute, func() { early <- r.server.figures() })
	defer minute.Stop()
	var number atomic.Int64
	var lives sync.WaitGroup
	for range atOnce {
		lives.Go(func() {
			for r.violations.Load() < enough {
				n := number.Add(1)
				if n > int64(*sessions) && time.Since(began) > *duration {
					return
				}
				r.live(int(n), rand.New(rand.NewPCG(*seed, uint64(n)))) //nolint:gosec // it only has to be repeatable
				if r.ended.Add(1)%50 == 0 {
					r.closeLeft()
				}
			}
		})
	}
	lives.Wait()
	r.part()
	r.report(time.Since(began), early)
}

// gather connects the clients.
func (r *run) gather(n int) {
	r.t.Helper()
	var connecting sync.WaitGroup
	var mu sync.Mutex
	for i := range n {
		k, name := mix[i%len(mix)], fmt.Sprintf("%s%d", mix[i%len(mix)], i)
		if k == host {
			r.mirrors = append(r.mirrors, newMirror(r, name, *seed+uint64(i)))
			continue
		}
		connecting.Go(func() {
			c, err := r.connect(name, k, r.server.proxied, *seed+uint64(i))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				r.violate("%v", err)
				return
			}
			r.all = append(r.all, c)
		})
	}
	connecting.Wait()
	r.sendForJudge()
	require.False(r.t, r.t.Failed())
}

// sendForJudge connects a client that isn't behind the proxy.
func (r *run) sendForJudge() {
	r.t.Helper()
	judge, err := r.connect("judge", webSocket, r.server.address, 0)
	require.NoError(r.t, err)
	r.judge = judge
}

// part ends all clients, and then the server. No agent may be left.
func (r *run) part() {
	r.t.Helper()
	for _, m := range r.mirrors {
		m.stop()
	}
	for _, c := range append(r.all, r.judge) {
		c.leave()
	}
	r.work.Wait()
	r.clients.Wait()
	for _, p := range r.server.proxies {
		p.Close()
	}
	r.sendForJudge()
	limits.Eventually(r.t, func() bool { r.closeLeft(); return r.server.agents() == 0 }, "sessions are left")
	r.judge.leave()
	r.clients.Wait()
	if _, begun := r.server.trace.last(); begun > 0 { // the last whole trace is of the time after the clients
		limits.Eventually(r.t, func() bool { _, now := r.server.trace.last(); return now > begun+1 }, "the runtime prints no trace")
	}
	r.final = r.server.figures()
	require.NoError(r.t, r.server.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(r.t, r.server.cmd.Wait())
	limits.Eventually(r.t, func() bool { return r.server.agents() == 0 }, "agents are left")
}

// closeLeft closes the sessions that a client left open because it lost its connection.
// The server would do that after half an hour.
func (r *run) closeLeft() {
	r.closing.Lock()
	defer r.closing.Unlock()
	live, err := (&control.Client{Socket: r.server.socket}).Sessions(r.t.Context())
	if err != nil {
		r.violate("the server doesn't list its sessions: %v", err)
	}
	for _, s := range live {
		r.mu.Lock()
		over := r.over[s.ID]
		r.mu.Unlock()
		if !over || len(s.Clients) > 0 {
			continue // it is used, or the server has not noticed yet that its clients are gone
		}
		r.left.Add(1)
		r.judge.mu.Lock()
		load := r.judge.load(s.ID)
		r.judge.mu.Unlock()
		load()
		r.judge.call("session/close", map[string]any{"sessionId": s.ID}, "")
	}
}

// report prints what happened, and checks that the server did not grow.
func (r *run) report(lasted time.Duration, early <-chan figures) {
	r.t.Helper()
	counts := make(map[kind]int)
	for _, c := range r.all {
		counts[c.kind]++
	}
	counts[host] = len(r.mirrors)
	var kinds []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", counts[k], k))
	}
	r.t.Logf("%d sessions in %s, clients: %s", r.ended.Load(), lasted.Round(time.Second), strings.Join(kinds, ", "))
	r.t.Logf("%d prompts (%d cancelled, %d of observers refused), permissions: %d allowed, %d rejected, %d withdrawn",
		r.prompts.Load(), r.cancels.Load(), r.defied.Load(), r.allowed.Load(), r.rejected.Load(), r.withdrawn.Load())
	r.t.Logf("%d updates; sessions were closed and loaded again %d times; clients without resumption connected again %d times, and left %d sessions open",
		r.updates.Load(), r.reopened.Load(), r.reloads.Load(), r.left.Load())
	for i, p := range r.server.proxies {
		r.t.Logf("faults of the %s: %s", [...]string{"network", "socket"}[i], p.Counts())
	}
	select {
	case first := <-early:
		r.t.Logf("the server after a minute: %s; at the end, without clients: %s", first, r.final)
		require.Less(r.t, r.final.memory, 3*first.memory+100<<10, "kB of memory")
		require.LessOrEqual(r.t, r.final.descriptors, 2*first.descriptors)
		require.LessOrEqual(r.t, r.final.goroutines, first.goroutines)
	default:
		r.t.Logf("the server at the end, without clients: %s", r.final)
	}
}
