package sim

import (
	"crypto/rand"
	"encoding/binary"
	mathrand "math/rand/v2"
	"sync"
	"testing"
	"testing/cryptotest"
	"time"
)

// instantRandom returns random bytes that follow from a seed and the virtual time. A draw more
// or less changes nothing that is drawn later, or has another length.
type instantRandom struct {
	seed uint64

	mu    sync.Mutex
	now   int64
	drawn map[int]uint64 // how often at this instant, by the number of bytes
}

// setRandom determines Turnwire's random ids and delays until the end of the test.
func setRandom(t *testing.T, seed uint64) {
	t.Helper()
	cryptotest.SetGlobalRandom(t, seed) // also restores the reader
	rand.Reader = &instantRandom{seed: seed}
}

// Read implements [io.Reader].
func (r *instantRandom) Read(into []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now().UnixNano(); now != r.now {
		r.now, r.drawn = now, make(map[int]uint64)
	}
	r.drawn[len(into)]++
	source := mathrand.NewPCG(r.seed+uint64(len(into))<<48, uint64(r.now)+r.drawn[len(into)]<<56) //nolint:gosec // it must be repeatable
	for i := 0; i < len(into); i += 8 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], source.Uint64())
		copy(into[i:], word[:])
	}
	return len(into), nil
}
