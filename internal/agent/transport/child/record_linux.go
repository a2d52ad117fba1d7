package child

import (
	"encoding/binary"
	"io"
)

// A record is a guard's message to its parent: first whether the command was
// started, then how it ended.
type record struct {
	kind  recordKind
	value uint32
}

type recordKind byte

const (
	recordStarted recordKind = 'S' // value: the command's process id
	recordFailed  recordKind = 'F' // value: an errno
	recordEnded   recordKind = 'E' // value: a wait status
)

const recordSize = 5

func writeRecord(w io.Writer, r record) error {
	b := [recordSize]byte{byte(r.kind)}
	binary.LittleEndian.PutUint32(b[1:], r.value)
	_, err := w.Write(b[:])
	return err
}

func readRecord(r io.Reader) (record, error) {
	var b [recordSize]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return record{}, err
	}
	return record{recordKind(b[0]), binary.LittleEndian.Uint32(b[1:])}, nil
}
