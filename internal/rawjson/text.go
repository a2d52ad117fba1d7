package rawjson

import "bytes"

// A Text is a text as it stands in JSON, so that it can be passed on without
// being decoded and encoded again. It is always valid: it is made from a plain
// string or read from JSON. The zero Text is the empty text.
//
// A Text may share the memory of what it was read from.
type Text struct{ body String }

// NewText returns s as a Text. Bytes that are not UTF-8 become U+FFFD.
func NewText(s string) Text { return Text{Quote(s)} }

// Wrap returns a body that is known to be valid as a Text, without copying it.
func Wrap(body String) Text { return Text{body} }

// Body returns the body of t, which must not be changed.
func Body(t Text) String { return t.body }

// String returns the text. What JSON allows and UTF-8 does not, which is half of
// a surrogate pair, becomes U+FFFD.
func (t Text) String() string { return t.body.String() }

// Len is the number of bytes of t in JSON, without quotation marks.
func (t Text) Len() int { return len(t.body) }

// IsZero reports whether t is empty.
func (t Text) IsZero() bool { return len(t.body) == 0 }

// Clone returns a copy of t that shares no memory with it.
func (t Text) Clone() Text { return Text{bytes.Clone(t.body)} }

// MarshalJSON implements [encoding/json.Marshaler].
func (t Text) MarshalJSON() ([]byte, error) { return t.body.MarshalJSON() }

// UnmarshalJSON implements [encoding/json.Unmarshaler]. It keeps a copy. null is
// the empty text.
func (t *Text) UnmarshalJSON(b []byte) error { return t.body.UnmarshalJSON(b) }
