package events

import (
	"hash"
	"hash/fnv"
	"unicode/utf8"
)

// A Summary is what must be left of a stream at the far end of a bridge,
// however the bridge cut and joined its pieces.
type Summary struct {
	Text        Digest // the answer
	Thought     Digest // the thoughts
	Calls       int    // tool calls that completed
	ResultBytes int64  // bytes of their results
}

// A Digest tells two long texts apart: what is lost, doubled, changed or out
// of order changes it.
type Digest struct {
	Chars int
	Hash  uint64
}

// A Digester takes a text piece by piece.
type Digester struct {
	chars int
	hash  hash.Hash64
}

// NewDigester starts with the empty text.
func NewDigester() *Digester { return &Digester{hash: fnv.New64a()} }

// Add appends a piece of the text.
func (d *Digester) Add(piece string) {
	d.chars += utf8.RuneCountInString(piece)
	d.hash.Write([]byte(piece))
}

// Digest describes the text so far.
func (d *Digester) Digest() Digest { return Digest{Chars: d.chars, Hash: d.hash.Sum64()} }
