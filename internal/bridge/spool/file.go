// Package spool keeps what is too much for the memory on the disk, as long as the process
// runs.
package spool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// A File has records in a temporary file, which nobody else can find: it loses its name
// as soon as it is made, or, where the system does not allow that, when it is closed. It
// is safe for concurrent use. The zero File keeps nothing: Append fails.
type File struct {
	folder string

	mu      sync.Mutex
	file    *os.File // nil before the first record
	name    string   // to be removed at the end; "" if it has none any more
	end     int64
	closed  bool
	records []span
}

// A span is the place of a record in the file.
type span struct {
	from   int64
	length int
}

// New returns a file without records, which will be in a folder. The folder is made with
// the first record. "" is no folder, and keeps nothing.
func New(folder string) *File { return &File{folder: folder} }

var (
	errNoFolder = errors.New("there is no folder for what is too much for the memory")
	errNoRecord = errors.New("there is no such record")
)

// Append adds a record.
func (f *File) Append(record []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return os.ErrClosed
	}
	if f.file == nil {
		if err := f.open(); err != nil {
			return err
		}
	}
	if _, err := f.file.WriteAt(record, f.end); err != nil {
		return fmt.Errorf("keep a record: %w", err)
	}
	f.records = append(f.records, span{f.end, len(record)})
	f.end += int64(len(record))
	return nil
}

func (f *File) open() error {
	if f.folder == "" {
		return errNoFolder
	}
	if err := os.MkdirAll(f.folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(f.folder, "spool-")
	if err != nil {
		return err
	}
	f.file = file
	if os.Remove(file.Name()) != nil { // Windows removes no file that is open
		f.name = file.Name()
	}
	return nil
}

// Len returns the number of records.
func (f *File) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.records)
}

// Record returns a record by its number, from 0. The error is [os.ErrClosed] after Close.
func (f *File) Record(i int) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, os.ErrClosed
	}
	if i < 0 || i >= len(f.records) {
		return nil, errNoRecord
	}
	at := f.records[i]
	record := make([]byte, at.length)
	if _, err := f.file.ReadAt(record, at.from); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read a record: %w", err)
	}
	return record, nil
}

// Close forgets the records. A file that is closed is empty, and keeps nothing any more.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed, f.records = true, nil
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	if f.name != "" {
		err = errors.Join(err, os.Remove(f.name))
	}
	f.file = nil
	return err
}
