package sim

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/memdisk"
	"github.com/turnwire/turnwire/internal/test/memnats"
)

// A Result is the outcome of a world.
type Result struct {
	Failure *BrokenLawError // nil if all laws were kept
	Story   func() string
	Counts  map[string]int
	Steps   int
	// Difference is where the story differs from that of an earlier play; "" if it doesn't.
	Difference string
}

// Play runs a plan in a bubble. The seed also determines Turnwire's random ids.
func Play(t *testing.T, p *Plan) (r Result) {
	t.Helper()
	setRandom(t, p.Seed)
	var w *World
	defer func() {
		if w != nil && w.rejoined {
			memnats.ForgetTimers()
		}
	}()
	defer func() {
		if stuck := recover(); stuck != nil {
			if r.Failure == nil {
				r.Failure = &BrokenLawError{Law: nothingLeft, Err: fmt.Errorf("%v", stuck), Seed: p.Seed}
				if r.Story != nil {
					r.Failure.Story = r.Story()
				}
			}
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		w = newWorld(t, p)
		w.run()
		w.mu.Lock()
		defer w.mu.Unlock()
		r = Result{Failure: w.failure, Story: sync.OnceValue(func() string { return w.story.last(1 << 30) }), Counts: w.counts, Steps: w.step}
	})
	return r
}

// pathLength is the length of the path of a world's folder, in bytes. It is the same in every
// process, because paths are saved, and a disk is full after a number of bytes.
const pathLength = 120

func newWorld(t *testing.T, p *Plan) *World {
	w := &World{
		t: t, plan: p, laws: laws(), sites: make(map[string]*site), threads: make(map[string]*thread), prompted: make(map[string]string), shared: make(map[string]bool), paused: make(map[string]bool), continued: make(map[string]string), lost: make(map[string]bool), kept: make(map[string]*keptSession), edits: make(map[string]*edit), failing: make(map[string]string), parents: make(map[string]string), accepted: make(map[string]bool), starts: make(map[string]int), ruled: make(map[string]bool),
		random: rand.New(rand.NewPCG(p.Seed, 1)), //nolint:gosec // it must be repeatable
		counts: make(map[string]int), finals: make(map[string][]final), inspected: make(map[string]string),
	}
	dir := t.TempDir()
	dir = filepath.Join(dir, strings.Repeat("x", max(1, pathLength-len(dir))))
	w.spool, w.files, w.cache = filepath.Join(dir, "spool"), filepath.Join(dir, "files"), filepath.Join(dir, "cache")
	w.story.files = w.files
	w.makeFiles()
	w.log = slog.New(noPanics{world: w})
	w.openNATS()
	w.server = newServer(w, memdisk.New())
	if p.Servers > 1 {
		w.second = newServer(w, memdisk.New())
	}
	w.saveOld()
	return w
}

// run executes all steps, then ends the world.
func (w *World) run() {
	for i := range w.plan.Steps {
		if w.hasFailed() {
			break
		}
		w.execute(&w.plan.Steps[i])
	}
	w.end()
}

// A final is the transcript of a session for one client at the end.
type final struct{ client, transcript string }

// end waits until nothing happens, compares the clients' views, and checks for leftovers.
func (w *World) end() {
	w.beginEnd()
	w.compare("before")
	w.setStopping(true)
	for _, c := range w.clients {
		_ = c.toServer.Close() // never fails
	}
	for _, m := range w.mirrors {
		_ = m.toServer.Close() // never fails
	}
	w.travels.Wait()
	for _, s := range w.servers() {
		s.stop()
		s.wait()
		w.old = append(w.old, s)
	}
	w.settle()
	w.setStopping(false)
	w.server, w.second = newServer(w, w.server.disk), nil
	w.compare("after")
	w.setStopping(true)
	w.server.stop()
	for _, s := range append(w.old, w.server) {
		s.wait()
	}
	w.travels.Wait()
	w.closeSites()
	w.closeThreads()
	if w.nats != nil {
		w.findShared()
	}
	time.Sleep(time.Hour)
	w.settle()
	w.findLeftovers()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.laws {
		if err := l.end(w); err != nil && w.failure == nil {
			w.failLocked(l.name(), err)
		}
	}
}

// beginEnd repairs all connections.
func (w *World) beginEnd() {
	w.mu.Lock()
	w.story.step(w.step + 1)
	w.story.did("the end")
	clients, actors := w.clients, w.actors
	for i := range w.plan.Agents {
		w.starts[w.plan.Agents[i].Name] = slowStarts // from now on, they start well
	}
	w.speedUp()
	w.mu.Unlock()
	w.empty()
	for _, s := range w.servers() {
		s.repair()
	}
	for _, c := range clients {
		c.restore()
	}
	for _, m := range w.mirrors {
		m.fromServer.setStalled(false)
	}
	for _, name := range sortedKeys(w.sites) {
		w.sites[name].Proxy.Calm()
	}
	for _, c := range actors {
		c.in.setChoked(false)
	}
	time.Sleep(5*time.Minute + w.latency())
	w.settle()
}

// compare loads every session, cancels running turns, and records the views of all clients
// that saw the whole session.
func (w *World) compare(when string) {
	auditors := w.loadAll(w.server, w.sessions)
	w.mu.Lock()
	var elsewhere []*session // open at the other server, which can't save them
	for _, s := range w.sessions {
		if w.second != nil && auditors[s.agent].views[s.id] == nil {
			elsewhere = append(elsewhere, s)
		}
	}
	w.mu.Unlock()
	if len(elsewhere) > 0 {
		w.loadAll(w.second, elsewhere)
	}
	time.Sleep(time.Minute + w.latency())
	w.settle()
	if when == "before" {
		w.inspect()
	}
	// A turn may only begin when others were cancelled, and an agent that ignores a cancel may ask
	// after it.
	for range 3 {
		w.cancelAll()
		w.drain()
	}
	w.list()
	for n := 0; n < 7 && w.isAsking(); n++ {
		w.cancelAll()
		w.drain()
	}
	w.see(&event{kind: rested})
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.clients {
		for _, id := range sortedKeys(c.views) {
			if v := c.views[id]; !c.gone && v.full && !v.unclear {
				w.finals[id] = append(w.finals[id], final{c.name + " " + when, v.transcript()})
			}
		}
	}
}

// loadAll connects a client for each agent to a server. They load the sessions.
func (w *World) loadAll(at *server, sessions []*session) map[*agentSpec]*client {
	auditors := make(map[*agentSpec]*client)
	for i := range w.plan.Agents {
		auditors[&w.plan.Agents[i]] = w.connectClient(at, remote, &w.plan.Agents[i], able[0])
	}
	w.settle()
	for _, s := range sessions {
		auditors[s.agent].call("session/load", object{"sessionId": s.id, "cwd": w.cwdOf(s.agent), "mcpServers": []string{}})
		w.settle() // one after the other, because reading files takes real time
	}
	return auditors
}

// isAsking reports whether a request waits for a client.
func (w *World) isAsking() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.clients, func(c *client) bool {
		return !c.gone && slices.ContainsFunc(c.requests, func(r *request) bool { return !r.withdrawn })
	})
}

// cancelAll lets all clients cancel what runs.
func (w *World) cancelAll() {
	for _, c := range w.clients {
		w.mu.Lock()
		gone, ids := c.gone, c.busy()
		w.mu.Unlock()
		for _, id := range ids {
			if !gone && c.kind != watcher {
				c.write(object{"method": "session/cancel", "params": object{"sessionId": id}})
				w.settle()
			}
		}
		c.dismiss()
	}
	time.Sleep(time.Minute + w.latency())
	w.settle()
}

// dismiss answers the requests of sessions that the client is not attached to. They aren't
// withdrawn, because in ACP a client that cancels must answer its pending requests. Nor are
// those that end a terminal.
func (c *client) dismiss() {
	c.world.mu.Lock()
	var left []*request
	for _, r := range c.requests {
		frees := r.method == "terminal/kill" || r.method == "terminal/release"
		if (c.views[r.session] == nil || frees) && !c.gone {
			left = append(left, r)
		}
	}
	c.world.mu.Unlock()
	for _, r := range left {
		if r.method != "session/request_permission" {
			c.respond(r, &Step{C: 3})
			continue
		}
		c.write(object{"id": json.RawMessage(r.id), "result": object{"outcome": object{"outcome": "cancelled"}}})
	}
}

// busy returns the sessions that the client is attached to, or has prompted.
func (c *client) busy() []string {
	ids := make(map[string]bool)
	for id := range c.views {
		ids[id] = true
	}
	for _, one := range c.calls {
		if one.open && one.turn != "" {
			ids[one.session] = true
		}
	}
	return sortedKeys(ids)
}

// inBubble matches the header of a goroutine in a bubble.
var inBubble = regexp.MustCompile(`^goroutine \d+ \[[^\]]*synctest bubble (\d+)[^\]]*\]:`)

// stacks is memory for the stacks of all goroutines. Only one world is played at a time.
var stacks [1 << 20]byte

// findLeftovers records goroutines, files other than saved sessions, and deleted sessions.
func (w *World) findLeftovers() {
	all := strings.Split(string(stacks[:runtime.Stack(stacks[:], true)]), "\n\n")
	own := inBubble.FindStringSubmatch(all[0]) // the caller's goroutine comes first
	for _, g := range all[1:] {
		if m := inBubble.FindStringSubmatch(g); m != nil && own != nil && m[1] == own[1] && !strings.Contains(m[0], "[synctest.Run") && !strings.Contains(g, "testingSynctestTest(") {
			w.leftovers = append(w.leftovers, "the goroutine "+g)
		}
	}
	for _, path := range sortedKeys(w.server.disk.Sizes()) {
		if !strings.HasSuffix(path, ".jsonl") && !strings.HasSuffix(path, ".title") && !strings.HasPrefix(path, hostFolder) {
			w.leftovers = append(w.leftovers, "the file "+path)
		}
	}
	spooled, err := os.ReadDir(w.spool)
	if err != nil && !os.IsNotExist(err) {
		w.leftovers = append(w.leftovers, err.Error())
	}
	for _, file := range spooled {
		w.leftovers = append(w.leftovers, "the file "+file.Name())
	}
	w.findChanged()
	if w.nats == nil {
		w.findDeleted(w.server.store)
		w.readDecisions(w.server.store)
	}
}

// findDeleted records the deleted sessions that are still in a store.
func (w *World) findDeleted(in journal.Store) {
	for _, s := range w.sessions {
		if _, err := in.Describe(s.id); err == nil && s.deleted && !s.unclear {
			w.leftovers = append(w.leftovers, "the deleted session "+s.id)
		}
	}
}
