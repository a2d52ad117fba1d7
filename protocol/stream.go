package protocol

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	// MaxLine is the maximum length of a line from a peer, in bytes without its line
	// ending.
	MaxLine = 32 << 20

	// enough is the number of pending bytes that justifies a write while more is to
	// come.
	enough = 32 << 10
	// highWater bounds the pending bytes before updates wait. It is larger than enough,
	// so that lines can be appended while others are written.
	highWater = 128 << 10
	// lowWater replaces highWater while the peer is slow: more pending bytes would only
	// delay the responses behind them.
	lowWater = 8 << 10
	// slowWrite is the duration beyond which a write counts as delayed by the peer.
	slowWrite = 2 * time.Millisecond
	// maxControl bounds the pending requests and responses. Beyond it, nothing is read
	// from a peer that does not read.
	maxControl = 4 << 10
	keepBuffer = 4 << 20
	closeGrace = 200 * time.Millisecond
)

// ErrClosed is returned by writes to a stream that is closed or broken.
var ErrClosed = errors.New("the connection is closed")

// A Stream is one connection. The package comment lists its guarantees.
type Stream struct {
	in  *bufio.Reader
	out io.WriteCloser
	log *slog.Logger

	// OnEOF, if set, is called once by ReadObject or Messages when reading ends, before
	// they return. This is the last moment to send responses.
	OnEOF func()
	// BeforeWrite, if set, is called before each write, without any lock held. It
	// completes before the peer can read any of that write.
	BeforeWrite func()
	// Join allows chunks of one message to be joined while the writer is busy.
	Join bool

	line   []byte // for lines longer than in's buffer
	closer func() error

	mu      sync.Mutex
	changed sync.Cond // pending, writing or err changed
	room    sync.Cond // signals that hasRoom may be true
	waiting int       // the number of callers that wait to append an update
	pending []byte    // the next write
	spare   []byte
	control int  // messages other than updates, pending or being written
	limit   int  // bounds pending before updates wait
	flush   bool // write pending now
	writing bool
	ending  bool  // chunks are no longer accepted
	err     error // set once, when nothing more can be written
	readErr error // why reading failed; nil at EOF
	broken  chan struct{}
	stopped chan struct{} // closed when the writer has exited
	last    joinable
}

// NewStream starts a stream that reads from r and writes to w. Close calls closer,
// which may be nil, to interrupt a read in progress.
func NewStream(r io.Reader, w io.WriteCloser, closer func() error, log *slog.Logger) *Stream {
	s := &Stream{
		in:      bufio.NewReaderSize(r, 16<<10),
		out:     w,
		log:     log,
		closer:  closer,
		Join:    true,
		limit:   highWater,
		broken:  make(chan struct{}),
		stopped: make(chan struct{}),
	}
	s.changed.L, s.room.L = &s.mu, &s.mu
	go s.write()
	return s
}

// Broken is closed when nothing more can be written.
func (s *Stream) Broken() <-chan struct{} { return s.broken }

// WriteObject implements [jsonrpc2.ObjectStream]. It never blocks.
func (s *Stream) WriteObject(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.writeControl(raw)
}

func (s *Stream) writeControl(raw []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	s.pending = append(append(s.pending, raw...), '\n')
	s.control++
	s.last = joinable{}
	s.flushLocked()
	return nil
}

// Append appends the line that build appends to its argument, without its newline. It
// waits first while the peer does not read, except after End.
func (s *Stream) Append(build func(dst []byte) []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wait()
	if s.err != nil {
		return s.err
	}
	s.pending = append(build(s.pending), '\n')
	s.last = joinable{}
	s.full()
	return nil
}

// wait blocks until there is room for an update, or no reason to wait. The caller holds
// mu.
func (s *Stream) wait() {
	for s.err == nil && !s.ending && len(s.pending) >= s.limit {
		s.flushLocked()
		s.waiting++
		s.changed.Wait()
		if s.waiting--; s.waiting == 0 && s.hasRoom() {
			s.room.Signal()
		}
	}
}

// AwaitRoom blocks until there is room for updates and no other caller waits to append
// one. A caller that builds its updates after that keeps nothing in memory while the peer
// does not read. AwaitRoom does not block after End.
func (s *Stream) AwaitRoom() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && !s.ending && !s.hasRoom() {
		s.flushLocked()
		s.room.Wait()
	}
	s.room.Signal() // wake the next waiter, which checks for itself
}

func (s *Stream) hasRoom() bool { return s.waiting == 0 && len(s.pending) < s.limit }

// awaitChunk is like wait, but fails after End.
func (s *Stream) awaitChunk() error {
	s.wait()
	if s.ending && s.err == nil {
		return ErrClosed
	}
	return s.err
}

// End refuses further chunks and stops all waiting: only the few lines that end open
// calls and prompts follow.
func (s *Stream) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
	s.changed.Broadcast()
	s.room.Broadcast()
}

// full wakes the writer if enough is pending. The caller holds mu.
func (s *Stream) full() {
	if len(s.pending) >= min(enough, s.limit) {
		s.flushLocked()
	}
}

// Flush tells the writer to write everything that was appended. It does not wait for
// the write.
func (s *Stream) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) > 0 {
		s.flushLocked()
	}
}

func (s *Stream) flushLocked() {
	if !s.flush {
		s.flush = true
		s.changed.Broadcast()
	}
}

// write runs the writer's goroutine.
func (s *Stream) write() {
	defer close(s.stopped)
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for !s.flush && s.err == nil {
			s.changed.Wait()
		}
		if s.err != nil {
			return
		}
		buf, control := s.pending, s.control
		s.pending, s.spare = s.spare[:0], nil
		s.flush, s.writing, s.last = false, true, joinable{}
		s.changed.Broadcast()
		if s.hasRoom() {
			s.room.Signal()
		}
		s.mu.Unlock()
		if s.BeforeWrite != nil {
			s.BeforeWrite()
		}
		began := time.Now()
		_, err := s.out.Write(buf)
		took := time.Since(began)
		s.mu.Lock()
		s.limit = highWater
		if took > slowWrite {
			s.limit = lowWater
		}
		s.writing = false
		s.control -= control
		if cap(buf) <= keepBuffer {
			s.spare = buf
		}
		if err != nil {
			s.fail(err)
		}
		s.changed.Broadcast()
	}
}

// fail breaks the stream. Only the first error is stored. The caller holds mu.
func (s *Stream) fail(err error) {
	if s.err == nil {
		s.err = err
		close(s.broken)
		s.changed.Broadcast()
		s.room.Broadcast()
	}
}

// Drain waits until everything appended so far is written, the stream breaks, or limit
// expires.
func (s *Stream) Drain(limit time.Duration) {
	expired := false
	timer := time.AfterFunc(limit, func() {
		s.mu.Lock()
		expired = true
		s.changed.Broadcast()
		s.mu.Unlock()
	})
	defer timer.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && !expired && (len(s.pending) > 0 || s.writing) {
		if len(s.pending) > 0 {
			s.flushLocked()
		}
		s.changed.Wait()
	}
}

// Close writes what is pending, waiting only briefly, and closes both directions.
func (s *Stream) Close() error {
	s.Drain(closeGrace)
	s.mu.Lock()
	s.fail(ErrClosed)
	s.mu.Unlock()
	err := s.out.Close()
	if s.closer != nil {
		err = errors.Join(err, s.closer())
	}
	return err
}
