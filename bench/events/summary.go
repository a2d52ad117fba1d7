package events

import (
	"hash"
	"hash/fnv"
	"unicode/utf8"
)

// A Summary is what must remain of a stream at the far end of a bridge, however the
// bridge splits and joins its pieces.
type Summary struct {
	Text        Digest // the answer
	Thought     Digest // the thoughts
	Calls       int    // completed tool calls
	ResultBytes int64  // total size of their results
}

// A Digest identifies a long text. Lost, duplicated, changed or reordered text changes
// it.
type Digest struct {
	Chars int
	Hash  uint64
}

// A Digester computes the Digest of a text piece by piece.
type Digester struct {
	chars int
	hash  hash.Hash64
}

// NewDigester returns a Digester for the empty text.
func NewDigester() *Digester { return &Digester{hash: fnv.New64a()} }

// Add appends a piece of the text.
func (d *Digester) Add(piece string) {
	d.chars += utf8.RuneCountInString(piece)
	d.hash.Write([]byte(piece))
}

// Digest returns the digest of the text so far.
func (d *Digester) Digest() Digest { return Digest{Chars: d.chars, Hash: d.hash.Sum64()} }
