// Package spool stores data that exceeds memory limits on disk, for the lifetime of the
// process.
package spool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// A File stores records in a temporary file that nobody else can find. The file's name
// is removed as soon as the file is created, or, if the system does not allow that,
// when it is closed. A File is safe for concurrent use. The zero File stores nothing:
// Append fails.
type File struct {
	folder string

	mu      sync.Mutex
	file    *os.File // nil before the first record
	name    string   // to be removed on Close; "" if already removed
	end     int64
	closed  bool
	records []span
}

// A span is the place of a record in the file.
type span struct {
	from   int64
	length int
}

// New returns a File without records in a folder. The folder is created with the first
// record. If folder is "", the File stores nothing.
func New(folder string) *File { return &File{folder: folder} }

var (
	errNoFolder = errors.New("no temporary folder is available")
	errNoRecord = errors.New("unknown record")
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
		return fmt.Errorf("store a record: %w", err)
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
	if os.Remove(file.Name()) != nil { // Windows can't remove an open file
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

// Record returns the record with a number, from 0. The error is [os.ErrClosed] after
// Close.
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

// Close drops the records. A closed File is empty and stores nothing more.
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
