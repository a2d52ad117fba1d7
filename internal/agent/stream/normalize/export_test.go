package normalize

// Kept returns how much a normalizer remembers.
func (t *Normalizer) Kept() (open, ended, ids, textBytes int) {
	return len(t.calls.open), len(t.calls.ended), len(t.calls.seen), len(t.text.tail) + len(t.text.before)
}

// The limits that a normalizer keeps to.
const (
	MaxOpen  = maxOpen
	MaxEnded = maxEnded
	MaxSeen  = maxSeen
	MaxTail  = maxTail

	MaxLabel   = maxLabel
	MaxOffered = maxOffered
)
