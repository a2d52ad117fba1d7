package rawmsg

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/rawjson"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// Trim returns line without surrounding white space and without a byte-order mark.
func Trim(line []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), byteOrderMark))
}

// IsExact reports whether id is a string or an integer that Go programs echo unchanged.
func IsExact(id []byte) bool {
	if len(id) == 0 {
		return false
	}
	if id[0] == '"' {
		s, err := rawjson.Parse(id)
		return err == nil && utf8.Valid(s) && bytes.Equal(s.Clean(), s)
	}
	n, err := strconv.ParseUint(string(id), 10, 63)
	return err == nil && strconv.FormatUint(n, 10) == string(id)
}

// Echo returns the id for the response to the message: the message's own id if the
// schema's `RequestId` allows it, otherwise null.
func (m *Message) Echo() []byte {
	if IsExact(m.ID) {
		return m.ID
	}
	if _, err := strconv.ParseInt(string(m.ID), 10, 64); err == nil {
		return m.ID
	}
	return []byte("null")
}
