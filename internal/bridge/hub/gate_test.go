package hub

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

// A source that sets the gate and then answers a prompt can rely on no update following
// the response, even if one is waiting for the hub at that moment.
func TestAClosedGateDropsAWaitingUpdate(t *testing.T) {
	h := New(Config{})
	defer h.Close()
	u := &upstream{hub: h}
	s := h.newSession("s1")
	var gate atomic.Bool
	line := append(append([]byte(nil), s.envelope...), `{"sessionUpdate":"plan","entries":[]}}}`...)
	n := core.Notification{Line: line, Session: "s1", From: len(s.envelope), To: len(line) - len(envelopeEnd), Gate: &gate}
	sent := make(chan struct{})
	h.mu.Lock()
	go func() {
		defer close(sent)
		u.Send(n)
	}()
	for range 1000 { // let the goroutine run until it blocks
		runtime.Gosched()
	}
	gate.Store(true)
	h.mu.Unlock()
	<-sent
	require.Empty(t, s.history.changes)
	gate.Store(false)
	u.Send(n)
	require.Len(t, s.history.changes, 1)
}
