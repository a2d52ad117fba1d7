package rawjson

import "bytes"

// A Text is text in its JSON encoding, so that it can be passed on without decoding and
// encoding it again. It is always valid, because it is made from a Go string or read from
// JSON. The zero Text is empty.
//
// A Text may share memory with its source.
type Text struct{ body String }

// NewText returns s as a Text. Invalid UTF-8 becomes U+FFFD.
func NewText(s string) Text { return Text{Quote(s)} }

// Wrap returns body as a Text, without copying it. The body must be valid.
func Wrap(body String) Text { return Text{body} }

// Body returns the body of t. The caller must not change it.
func Body(t Text) String { return t.body }

// String returns the decoded text. Half of a surrogate pair, which JSON allows but UTF-8
// doesn't, becomes U+FFFD.
func (t Text) String() string { return t.body.String() }

// Len returns the length of t in JSON without quotation marks, in bytes.
func (t Text) Len() int { return len(t.body) }

// IsZero reports whether t is empty.
func (t Text) IsZero() bool { return len(t.body) == 0 }

// Clone returns a copy of t that shares no memory with it.
func (t Text) Clone() Text { return Text{bytes.Clone(t.body)} }

// Clean returns t with half characters replaced; see [String.Clean].
func (t Text) Clean() Text { return Text{t.body.Clean()} }

// MarshalJSON implements [encoding/json.Marshaler].
func (t Text) MarshalJSON() ([]byte, error) { return t.body.MarshalJSON() }

// UnmarshalJSON implements [encoding/json.Unmarshaler]. It copies its input. null becomes
// the empty text.
func (t *Text) UnmarshalJSON(b []byte) error { return t.body.UnmarshalJSON(b) }
