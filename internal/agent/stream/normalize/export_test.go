package normalize

// StateSize returns the size of a normalizer's state.
func (t *Normalizer) StateSize() (open, ended, ids, textBytes int) {
	return len(t.calls.open), len(t.calls.ended), len(t.calls.seen), len(t.text.tail) + len(t.text.before)
}

// The normalizer's limits.
const (
	MaxOpen  = maxOpen
	MaxEnded = maxEnded
	MaxSeen  = maxSeen
	MaxTail  = maxTail

	MaxLabel   = maxLabel
	MaxOffered = maxOffered
)
