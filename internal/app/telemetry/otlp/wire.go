package otlp

import "encoding/binary"

// What of the wire format of protocol buffers is needed here. The library's package
// reads the whole program at its start, to vary the texts of its errors.

// field is the number of a field in a message.
type field uint64

// A kind says how the value of a field is written.
type kind uint64

const (
	varintKind  kind = 0
	fixed64Kind kind = 1
	bytesKind   kind = 2
	fixed32Kind kind = 5
)

func appendTag(dst []byte, n field, k kind) []byte {
	return binary.AppendUvarint(dst, uint64(n)<<3|uint64(k))
}

// appendBytes appends a field of bytes, of text, or of a message.
func appendBytes[T []byte | string](dst []byte, n field, b T) []byte {
	dst = binary.AppendUvarint(appendTag(dst, n, bytesKind), uint64(len(b)))
	return append(dst, b...)
}

// appendNumber appends a field also if its value is 0.
func appendNumber(dst []byte, n field, v uint64) []byte {
	return binary.AppendUvarint(appendTag(dst, n, varintKind), v)
}

func appendFixed(dst []byte, n field, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(appendTag(dst, n, fixed64Kind), v)
}

func appendFixed32(dst []byte, n field, v uint32) []byte {
	return binary.LittleEndian.AppendUint32(appendTag(dst, n, fixed32Kind), v)
}

func oneOrZero(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// valueOf is the value of the first field n of a message: its bytes, or its number.
// A message that is not one has none.
func valueOf(message []byte, n field) (bytes []byte, number uint64) {
	for len(message) > 0 {
		tag, size := binary.Uvarint(message)
		if size <= 0 {
			return nil, 0
		}
		message = message[size:]
		var value []byte
		var v uint64
		switch kind(tag & 7) {
		case varintKind:
			if v, size = binary.Uvarint(message); size <= 0 {
				return nil, 0
			}
		case fixed64Kind:
			size = 8
		case fixed32Kind:
			size = 4
		case bytesKind:
			length, begin := binary.Uvarint(message)
			if begin <= 0 || length > uint64(len(message)-begin) {
				return nil, 0
			}
			size = begin + int(length) //nolint:gosec // it is at most len(message)
			value = message[begin:size]
		default: // groups, which nobody writes any more
			return nil, 0
		}
		if size > len(message) {
			return nil, 0
		}
		if field(tag>>3) == n {
			return value, v
		}
		message = message[size:]
	}
	return nil, 0
}
