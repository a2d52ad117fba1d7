package bridge_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzBridge runs a whole bridge with random agent events, editor messages, cancels,
// closes and answers of every kind. The editor may stop reading or close the input.
// There are several sessions and processors. Every line is checked against the schema
// and the rules, and the commands that agents receive against the consent rules; see
// [random].
func FuzzBridge(f *testing.F) {
	for seed := range uint64(75) {
		r := rand.New(rand.NewPCG(seed, 3))
		script := make([]byte, 20+r.IntN(300))
		for i := range script {
			script[i] = byte(r.Uint32())
		}
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) == 0 || len(script) > 2000 {
			return
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1 + int(script[0]%4)))
		synctest.Test(t, func(t *testing.T) { newRandom(t, script[1:]).run() })
	})
}

// run executes the script, then closes the input.
func (r *random) run() {
	r.write(call(r.id("initialize", -1), "initialize", `{"protocolVersion":1,"clientCapabilities":`+pick(r, randomClients)+`}`))
	r.openSession()
	for len(r.script) > 0 {
		r.act()
	}
	r.setReading(true)
	synctest.Wait()
	r.settle()
	require.NoError(r.t, r.e.in.Close())
	began := time.Now()
	require.NoError(r.t, <-r.e.served)
	require.LessOrEqual(r.t, time.Since(began), 2*time.Second)
	<-r.read
	for id, q := range r.e.laws.open {
		require.Fail(r.t, "a request was not answered", "%s %v", id, q)
	}
	r.checkConsent()
}

// act executes one step.
func (r *random) act() {
	n := r.session()
	switch op := r.next() % 32; {
	case op < 10:
		r.agentSays(n)
	case op < 14:
		r.answer()
	case op < 17:
		r.prompt(n)
	case op < 19:
		r.cancel(n)
	case op < 20:
		r.write(note("$/cancel_request", `{"requestId":`+pick(r, r.ids)+`}`))
	case op < 21:
		r.openSession()
	case op < 22:
		r.closeSession(n)
	case op < 24:
		r.choose(n)
	case op < 26:
		r.setReading(r.next()%3 > 0)
	case op < 27:
		r.write(pick(r, randomLines))
	case op < 28: // in one write, whatever comes of it
		r.hold = !r.hold
	case op < 30:
		synctest.Wait()
	default:
		<-time.After(pick(r, []time.Duration{1, time.Millisecond, 20 * time.Millisecond, 150 * time.Millisecond, 600 * time.Millisecond})) // on the bubble's clock
	}
}
