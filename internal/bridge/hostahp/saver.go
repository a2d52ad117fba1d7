package hostahp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

const (
	// maxRecord bounds a file, in bytes. A draft can hold an image.
	maxRecord = 16 << 20
	// maxRecords bounds the sessions that are remembered.
	maxRecords = 8 << 10
	suffix     = ".json"
)

// A saver writes what the host remembers, in a goroutine of its own. Only the last
// state of a file is written. The files are for their user alone: they say what users
// have written.
type saver struct {
	folder string // "" where nothing is kept
	log    *slog.Logger

	mu      sync.Mutex
	changed sync.Cond
	pending map[string]pendingFile // by their paths
	closed  bool
	done    chan struct{}
}

// A pendingFile is a file to write.
type pendingFile struct {
	text []byte   // nil is for a file to remove
	then []func() // is called once it is written, or cannot be
}

func newSaver(folder string, log *slog.Logger) *saver {
	s := &saver{folder: folder, log: log, pending: make(map[string]pendingFile), done: make(chan struct{})}
	s.changed.L = &s.mu
	go s.run()
	return s
}

// close writes what is left.
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
		pending := s.pending
		s.pending = make(map[string]pendingFile)
		s.mu.Unlock()
		if len(pending) == 0 {
			return
		}
		for path, file := range pending {
			if err := write(path, file.text); err != nil {
				s.log.Error("what a session has beside its journal is not kept", "error", err)
			}
			for _, then := range file.then {
				then()
			}
		}
	}
}

func write(path string, text []byte) error {
	if text == nil {
		err := os.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// A file that is replaced keeps its mode.
	empty, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(empty.Close(), atomicfile.Write(path, text))
}

// put writes a file soon. Nobody waits for the disk, but who gives a then: it is called
// by another goroutine.
func (s *saver) put(path string, text []byte, then ...func()) {
	if s.folder == "" {
		for _, f := range then {
			go f()
		}
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending[path] = pendingFile{text, append(s.pending[path].then, then...)}
	s.changed.Signal()
}

func (s *saver) sessionFile(uri string) string {
	sum := sha256.Sum256([]byte(uri))
	return filepath.Join(s.folder, "sessions", hex.EncodeToString(sum[:16])+suffix)
}

func (s *saver) keep(r record, then ...func()) {
	s.put(s.sessionFile(r.URI), rawmsg.Encode(r), then...)
}

func (s *saver) forget(uri string) { s.put(s.sessionFile(uri), nil) }

// records are those that were kept. One that cannot be read is left where it is.
func (s *saver) records() (all []record) {
	if s.folder == "" {
		return nil
	}
	dir := filepath.Join(s.folder, "sessions")
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.Warn("what sessions have beside their journals cannot be read", "error", err)
	}
	for _, f := range files[:min(len(files), maxRecords)] {
		if !strings.HasSuffix(f.Name(), suffix) || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		var r record
		path := filepath.Join(dir, f.Name())
		text, err := atomicfile.Read(path, maxRecord)
		if err == nil {
			err = exactjson.Unmarshal(text, &r)
		}
		if err != nil || s.sessionFile(r.URI) != path {
			s.log.Warn("what a session has beside its journal cannot be read", "file", path, "error", err)
			continue
		}
		all = append(all, r)
	}
	return all
}

func (s *saver) offersFile(provider string) string {
	return filepath.Join(s.folder, "agents", provider+suffix)
}

// keptOffers are offers on the disk, and whose they are.
type keptOffers struct {
	Key    string `json:"agent"`
	Offers offers `json:"offers"`
}

func (s *saver) keepOffers(provider, key string, o offers) {
	s.put(s.offersFile(provider), rawmsg.Encode(keptOffers{key, o}))
}

// offers are those that an agent has made last.
func (s *saver) offers(provider, key string) offers {
	var k keptOffers
	if s.folder == "" {
		return k.Offers
	}
	text, err := atomicfile.Read(s.offersFile(provider), maxRecord)
	if err != nil || exactjson.Unmarshal(text, &k) != nil || k.Key != key {
		return offers{}
	}
	return k.Offers
}
