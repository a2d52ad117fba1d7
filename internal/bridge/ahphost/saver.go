package ahphost

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

const (
	// maxRecord bounds a file, in bytes. A draft may contain an image.
	maxRecord = 16 << 20
	// maxRecords bounds the loaded sessions.
	maxRecords = 8 << 10
	suffix     = ".json"
)

// A saver writes the host's state to files, in its own goroutine. Only the latest state
// of a file is written. Only the user can read the files, because they contain what
// users wrote.
//
// Nothing waits for the disk, except writes to clients: see settle.
type saver struct {
	folder string // "" if nothing is saved
	files  journal.Files
	log    *slog.Logger

	mu       sync.Mutex
	changed  sync.Cond
	written  sync.Cond              // saved changed, or the saver has ended
	pending  map[string]pendingFile // by path
	enqueued int                    // the number of changes so far
	saved    int                    // how many of them are on disk, or can't be
	closed   bool
	ended    bool
	done     chan struct{}
}

// A pendingFile is a file to write.
type pendingFile struct {
	text []byte   // nil removes the file
	then []func() // called once it is written, or cannot be
}

func newSaver(folder string, files journal.Files, log *slog.Logger) *saver {
	s := &saver{folder: folder, files: files, log: log, pending: make(map[string]pendingFile), done: make(chan struct{})}
	s.changed.L, s.written.L = &s.mu, &s.mu
	go s.run()
	return s
}

// close writes the pending files.
func (s *saver) close() {
	s.mu.Lock()
	s.closed = true
	s.changed.Signal()
	s.mu.Unlock()
	<-s.done
}

func (s *saver) run() {
	defer close(s.done)
	for {
		s.mu.Lock()
		for len(s.pending) == 0 && !s.closed {
			s.changed.Wait()
		}
		pending, enqueued := s.pending, s.enqueued
		s.pending = make(map[string]pendingFile)
		if len(pending) == 0 {
			s.ended = true
			s.written.Broadcast()
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		for _, path := range slices.Sorted(maps.Keys(pending)) {
			file := pending[path]
			if err := s.write(path, file.text); err != nil {
				s.log.Error("a session's settings could not be saved", "error", err)
			}
			for _, then := range file.then {
				then()
			}
		}
		s.mu.Lock()
		s.saved = enqueued
		s.written.Broadcast()
		s.mu.Unlock()
	}
}

// settle blocks until everything enqueued so far is on disk, or can't be written. The caller
// holds no lock.
func (s *saver) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for due := s.enqueued; s.saved < due && !s.ended; {
		s.written.Wait()
	}
}

func (s *saver) write(path string, text []byte) error {
	if text == nil {
		err := s.files.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	if err := s.files.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return s.files.Replace(path, text)
}

// enqueue schedules writing a file, without waiting for the disk. The then functions are
// called afterwards, on another goroutine.
func (s *saver) enqueue(path string, text []byte, then ...func()) {
	if s.folder == "" {
		for _, f := range then {
			go f()
		}
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending[path] = pendingFile{text, append(s.pending[path].then, then...)}
	s.enqueued++
	s.changed.Signal()
}

func (s *saver) sessionFile(uri string) string {
	sum := sha256.Sum256([]byte(uri))
	return filepath.Join(s.folder, "sessions", hex.EncodeToString(sum[:16])+suffix)
}

func (s *saver) keep(r record, then ...func()) {
	s.enqueue(s.sessionFile(r.URI), rawmsg.Encode(r), then...)
}

func (s *saver) forget(uri string) { s.enqueue(s.sessionFile(uri), nil) }

// records returns the saved records. It skips files that cannot be read, and does not
// delete them.
func (s *saver) records() (all []record) {
	if s.folder == "" {
		return nil
	}
	dir := filepath.Join(s.folder, "sessions")
	files, err := s.files.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("session settings could not be read", "error", err)
	}
	for _, f := range files[:min(len(files), maxRecords)] {
		if !strings.HasSuffix(f.Name(), suffix) || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		var r record
		path := filepath.Join(dir, f.Name())
		text, err := s.files.ReadWhole(path, maxRecord)
		if err == nil {
			err = exactjson.Unmarshal(text, &r)
		}
		if err != nil || s.sessionFile(r.URI) != path {
			s.log.Warn("a session's settings could not be read", "file", path, "error", err)
			continue
		}
		all = append(all, r)
	}
	return all
}

func (s *saver) offersFile(provider string) string {
	return filepath.Join(s.folder, "agents", provider+suffix)
}

// keptOffers are saved offers with their agent's key.
type keptOffers struct {
	Key    string `json:"agent"`
	Offers offers `json:"offers"`
}

func (s *saver) keepOffers(provider, key string, o offers) {
	s.enqueue(s.offersFile(provider), rawmsg.Encode(keptOffers{key, o}))
}

// offers returns an agent's last saved offers.
func (s *saver) offers(provider, key string) offers {
	var k keptOffers
	if s.folder == "" {
		return k.Offers
	}
	text, err := s.files.ReadWhole(s.offersFile(provider), maxRecord)
	if err != nil || exactjson.Unmarshal(text, &k) != nil || k.Key != key {
		return offers{}
	}
	return k.Offers
}
