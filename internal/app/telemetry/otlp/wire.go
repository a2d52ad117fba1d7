package otlp

import "encoding/binary"

// The required part of the protobuf wire format. The official package reads the whole
// binary at startup, to vary the texts of its errors.

// field is a field number in a message.
type field uint64

// A kind is the wire type of a field.
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

// appendBytes appends a field with bytes, a string, or a message.
func appendBytes[T []byte | string](dst []byte, n field, b T) []byte {
	dst = binary.AppendUvarint(appendTag(dst, n, bytesKind), uint64(len(b)))
	return append(dst, b...)
}

// appendNumber appends a field even if its value is 0.
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

// valueOf returns the first field n of a message: its bytes, or its number. It returns
// nothing if the message is malformed.
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
		default: // groups, which are obsolete
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
