package sim

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// saveOld saves sessions from an earlier time, of the first agent, and puts other files into their folders.
func (w *World) saveOld() {
	a := &w.plan.Agents[0]
	for i := range w.plan.Saved {
		id := fmt.Sprintf("old-%d", i)
		if err := saveOne(w.server.store, journal.Header{ID: id, Agent: a.Name, Cwd: w.cwdOf(a), Created: time.Now()}, i); err != nil {
			w.fail("old sessions can be saved", err)
		}
		w.olds = append(w.olds, id)
	}
	if w.plan.Saved > 0 && w.nats == nil {
		if err := w.plant(); err != nil {
			w.fail("files can be beside sessions", err)
		}
	}
}

// saveOne saves a session with a prompt, like those that a user wrote or pasted.
func saveOne(to journal.Store, h journal.Header, i int) error {
	text := [...]string{"Hello", "\n \t\n  Look\tat   this\n", strings.Repeat("very ", 100) + "long", "\x1b[31mred", ""}[i%5]
	j, err := to.Create(h)
	if err != nil {
		return err
	}
	err = j.Append(j.Next(), []journal.Record{
		{Type: journal.TypePrompt, Data: encode(object{"type": "prompt", "text": text})},
		{Type: journal.TypeEvent, Data: encode(object{"type": "text_delta", "text": "Hello"})},
	})
	if i%7 == 0 {
		err = errors.Join(err, j.Retitle(fmt.Sprint("Title ", i), true))
	}
	return errors.Join(err, j.Close())
}

// plant puts files into the folders of sessions that Turnwire did not write, or not this version.
func (w *World) plant() error {
	w.planted = make(map[string]string)
	for _, at := range sortedKeys(w.server.disk.Sizes()) {
		if !strings.HasSuffix(at, ".jsonl") {
			continue
		}
		session, err := w.server.disk.ReadWhole(at, 1<<20)
		if err != nil {
			return err
		}
		for name, text := range map[string]string{
			"notes": "Buy milk.\n", "copy-of-old": string(session), "empty": "", "other": `{"a":1}` + "\n",
			"newer": strings.Replace(string(session), `"version":1`, `"version":99`, 1),
		} {
			to := path.Join(path.Dir(at), "planted-"+name+".jsonl")
			if err := w.server.disk.Replace(to, []byte(text)); err != nil {
				return err
			}
			w.planted[to] = text
		}
		return nil
	}
	return nil
}

// findChanged records which of the planted files were changed.
func (w *World) findChanged() {
	for _, at := range sortedKeys(w.planted) {
		if text, err := w.server.disk.ReadWhole(at, 1<<20); err != nil || string(text) != w.planted[at] {
			w.leftovers = append(w.leftovers, fmt.Sprintf("the foreign file %s was changed: %v", at, err))
		}
	}
}

// pages are the list of sessions that a client gets in pages.
type pages struct {
	ids   []string
	next  string
	whole bool // it ended
}

// add adds a page.
func (p *pages) add(m *message) {
	for _, s := range m.result.Sessions {
		p.ids = append(p.ids, s.SessionID)
	}
	p.next = m.result.NextCursor
	p.whole = len(m.Error) == 0 && p.next == ""
}

// leaf lets a client list all sessions, page after page.
func leaf(w *World, c *client, _ *Step) string {
	began := new(pages)
	for n := 0; ; n++ {
		params := object{}
		c.mark(func() {
			if began.next != "" {
				params["cursor"] = began.next
			}
			began.next, c.pages = "", began
		})
		c.call("session/list", params)
		time.Sleep(time.Second + w.latency())
		w.settle()
		w.mu.Lock()
		next := began.next
		w.mu.Unlock()
		if next == "" || n == 20 {
			break
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checkPages(c, began)
	return fmt.Sprintf("lists %d sessions", len(began.ids))
}

// checkPages checks that a list has each of the old sessions once. The caller holds the lock.
func (w *World) checkPages(c *client, listed *pages) {
	times := make(map[string]int)
	for _, id := range listed.ids {
		if times[id]++; times[id] > 1 && strings.HasPrefix(id, "old-") {
			w.failLocked(paged, fmt.Errorf("%s lists %s twice", c.name, id))
		}
		if strings.HasPrefix(id, "planted-") {
			w.failLocked(paged, fmt.Errorf("%s lists the foreign file %s", c.name, id))
		}
	}
	if !listed.whole && c.agent.Skills&dawdles != 0 { // it starts slowly, or has not started
		return
	}
	if c.agent != &w.plan.Agents[0] || c.agent.Skills&keeps != 0 || c.kind == watcher || c.gone || c.leaving || c.troubled || !w.isPrompt() {
		return
	}
	for _, id := range w.olds {
		if times[id] == 0 {
			w.failLocked(paged, fmt.Errorf("%s does not list %s", c.name, id))
		}
	}
}

const paged = "pages have each session once"
