package consent_test

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/ahphost"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
)

// settle lets time pass until nobody has anything left to do: a host waits briefly
// before it passes a turn to the agent.
func settle() {
	time.Sleep(time.Second) // in the bubble's time
	synctest.Wait()
}

// A house is an agent with everything that can be between it and a client.
type house struct {
	t    *testing.T
	told told
	kind kind
	work sync.WaitGroup

	hub   *hub.Hub // of the server with the agent
	other *hub.Hub // of a server that forwards to it
	host  *ahphost.Host
	ends  []client
}

func newHouse(t *testing.T, k kind) *house {
	h := &house{t: t, kind: k}
	h.hub = hub.New(hub.Config{Version: "1", Log: quiet, Open: func(_ context.Context, v core.View) (core.Source, error) { return k.source(&h.told, v), nil }})
	h.other = hub.New(hub.Config{
		Version: "1", Log: quiet,
		Open: func(_ context.Context, v core.View) (core.Source, error) { return k.source(new(told), v), nil },
		Elsewhere: func(context.Context, string) (*hub.Peer, error) {
			return &hub.Peer{Server: "the first", Serve: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
				return serveHub(ctx, h.hub, hub.Client{Peer: true}, in, out)
			}}, nil
		},
	})
	h.host = ahphost.New(ahphost.Config{Version: "1", Log: quiet, Home: "/", Agents: []ahphost.Agent{{
		Provider: "turnwire", Key: "k", Title: "Agent",
		Open: func(v core.View, hangUp func()) (core.Source, error) {
			return h.hub.Connect(v, hub.Client{Host: true, HangUp: hangUp}), nil
		},
	}}})
	return h
}

func serveHub(ctx context.Context, to *hub.Hub, c hub.Client, in io.ReadCloser, out io.WriteCloser) error {
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	c.HangUp = hangUp
	return acp.Serve(ctx, acp.Config{In: in, Out: out, Log: quiet}, func(v core.View) core.Source { return to.Connect(v, c) })
}

func (h *house) close() {
	for _, c := range h.ends {
		c.leave()
	}
	h.other.Close()
	h.host.Close()
	h.hub.Close()
	h.work.Wait()
}

// A way is a client's path to the agent.
type way string

const (
	stdio  way = "stdio"            // turnwire acp
	served way = "serve"            // an ACP client of turnwire serve
	remote way = "another server"   // an ACP client of a turnwire serve that doesn't own the session
	hosted way = "agent host"       // an AHP client of turnwire serve
	second way = "agent host again" // another AHP client
)

// connect connects a client.
func (h *house) connect(w way) client {
	var c client
	switch w {
	case stdio:
		c = newEditor(dial(h.t, &h.work, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) {
			_ = acp.Serve(ctx, acp.Config{In: in, Out: out, Log: quiet}, func(v core.View) core.Source { return h.kind.source(&h.told, v) })
		}))
	case served, remote:
		to := h.hub
		if w == remote {
			to = h.other
		}
		c = newEditor(dial(h.t, &h.work, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) {
			_ = serveHub(ctx, to, hub.Client{}, in, out)
		}))
	case hosted, second:
		c = newWindow(dial(h.t, &h.work, func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) {
			_ = h.host.ServeFrom(ctx, consent.Client{Transport: "websocket"}, in, out, in.Close)
		}), string(w))
	}
	h.ends = append(h.ends, c)
	return c
}

// request returns clients of one session that all received a permission request. The
// first one prompts, and the others join while the agent waits.
func (h *house) request(ways ...way) (clients []client) {
	h.t.Helper()
	var owner client
	if ways[0] == remote {
		owner = h.connect(served)
		owner.create()
	}
	for i, w := range ways {
		c := h.connect(w)
		clients = append(clients, c)
		switch {
		case i > 0: // joins while the agent waits
			c.join(h.id())
			continue
		case w == remote:
			c.join(h.id())
			owner.leave()
		default:
			c.create()
		}
		c.prompt()
	}
	for i, c := range clients {
		require.True(h.t, c.isAsked(), "%s is not asked", ways[i])
	}
	require.Empty(h.t, h.told.all())
	return clients
}

// id returns the session's id, if it is already open.
func (h *house) id() string {
	if open := h.hub.Sessions(); len(open) > 0 {
		return open[0].ID
	}
	return ""
}

// in runs a test with each kind of agent.
func in(t *testing.T, run func(t *testing.T, h *house)) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t, k)
				defer func() {
					h.close()
					settle()
				}()
				run(t, h)
			})
		})
	}
}

var ways = []way{stdio, served, remote, hosted}

func TestAnAgentGetsTheAnswerThatWasGiven(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(c client)
		want []string
		host []string // what an agent receives if the host refuses the action; the same if nil
	}{
		"allow":                  {func(c client) { c.answer(allow) }, []string{allow}, nil},
		"reject":                 {func(c client) { c.answer(reject) }, []string{reject}, nil},
		"an option of no offer":  {func(c client) { c.answer("allow_always") }, []string{none}, []string{}},
		"an empty option":        {func(c client) { c.answer("") }, []string{none}, []string{allow}},
		"an error":               {func(c client) { c.fail() }, []string{none}, []string{}},
		"twice":                  {func(c client) { c.answer(reject); c.answer(allow) }, []string{reject}, nil},
		"an answer, then cancel": {func(c client) { c.answer(allow); settle(); c.cancel() }, []string{allow, cancel}, nil},
	} {
		for _, w := range ways {
			t.Run(name+"/"+string(w), func(t *testing.T) {
				in(t, func(t *testing.T, h *house) {
					client := h.request(w)[0]
					c.do(client)
					settle()
					want := c.want
					if _, ok := client.(*window); ok && c.host != nil {
						want = c.host
					}
					require.Equal(t, want, h.told.all())
				})
			})
		}
	}
}

// After a cancel nothing is permitted, and what was permitted before stays permitted.
func TestNothingIsPermittedAfterARacingCancel(t *testing.T) {
	for name, c := range map[string]struct {
		do      func(c client)
		permits bool // possibly: a cancel that overtakes an answer on its way refuses it
	}{
		"cancel, then an answer":   {func(c client) { c.cancel(); settle(); c.answer(allow) }, false},
		"cancel before the answer": {func(c client) { c.together(func() { c.cancel(); c.answer(allow) }) }, false},
		"answer before the cancel": {func(c client) { c.together(func() { c.answer(allow); c.cancel() }) }, true},
	} {
		for _, w := range ways {
			t.Run(name+"/"+string(w), func(t *testing.T) {
				in(t, func(t *testing.T, h *house) {
					c.do(h.request(w)[0])
					settle()
					got := h.told.all()
					if c.permits && slices.Contains(got, allow) {
						require.Equal(t, []string{allow, cancel}, got)
						return
					}
					require.ElementsMatch(t, []string{none, cancel}, got)
				})
			})
		}
	}
}

// The first valid answer counts, no matter which client gives it, and a cancel counts for
// all clients.
func TestTheFirstOfTwoClientsDecides(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(first, other client)
		want []string
	}{
		"reject, then allow": {func(first, other client) { first.answer(reject); settle(); other.answer(allow) }, []string{reject}},
		"allow, then reject": {func(first, other client) { first.answer(allow); settle(); other.answer(reject) }, []string{allow}},
		"cancel, then allow": {func(first, other client) { first.cancel(); settle(); other.answer(allow) }, []string{none, cancel}},
	} {
		for _, pair := range [][2]way{
			{served, served}, {served, remote}, {remote, served}, {remote, remote},
			{hosted, second}, {hosted, served}, {hosted, remote},
		} {
			for _, swap := range []bool{false, true} {
				order := string(pair[0]) + " and " + string(pair[1])
				if swap {
					order += ", the latter first"
				}
				t.Run(name+"/"+order, func(t *testing.T) {
					in(t, func(t *testing.T, h *house) {
						clients := h.request(pair[:]...)
						if swap {
							clients[0], clients[1] = clients[1], clients[0]
						}
						c.do(clients[0], clients[1])
						settle()
						require.ElementsMatch(t, c.want, h.told.all())
					})
				})
			}
		}
	}
}
