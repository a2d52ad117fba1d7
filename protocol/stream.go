package protocol

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

const (
	// MaxLine is the longest line that is read from a peer, in bytes without
	// its newline.
	MaxLine = 32 << 20

	// enough is how much is worth a write of its own while more is to come.
	enough = 32 << 10
	// highWater is how much may wait to be written before updates wait too.
	// It is more than enough, so that lines are made while others are written.
	highWater = 128 << 10
	// lowWater takes its place while the peer is slow: what waits here would
	// only make an answer wait behind it.
	lowWater = 8 << 10
	// slowWrite is how long a write takes that the peer holds up.
	slowWrite = 2 * time.Millisecond
	// maxControl is how many requests and responses may wait to be written
	// before no further message is read from a peer that does not read.
	maxControl = 4 << 10
	keepBuffer = 4 << 20
	closeGrace = 200 * time.Millisecond
)

// ErrClosed is returned by writes to a stream that is closed or broken.
var ErrClosed = errors.New("the connection is closed")

// A Stream is one connection. See the package comment for what it promises.
type Stream struct {
	in  *bufio.Reader
	out io.WriteCloser
	log *slog.Logger

	// OnEOF, if set, is called once by ReadObject at the end of the input,
	// before it returns: the last moment at which answers can be sent.
	OnEOF func()
	// Join lets chunks of one message be joined while the writer is busy.
	Join bool

	request func(*jsonrpc2.Request) // set by Connect
	line    []byte                  // for lines that are longer than in's buffer
	closer  func() error

	mu      sync.Mutex
	changed sync.Cond // pending, writing or err changed
	pending []byte    // to be written next
	spare   []byte
	control int  // messages in pending and in the write under way that are no updates
	limit   int  // how much may be pending before updates wait
	flush   bool // pending is to be written now
	writing bool
	ending  bool  // chunks are not taken any more
	err     error // set once, when nothing more can be written
	readErr error // why reading ended, if not with the input
	broken  chan struct{}
	stopped chan struct{} // the writer has ended
	last    joinable
}

// NewStream starts a stream that reads r and writes w. closer is called by
// Close to end a read that is under way; it may be nil.
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
	s.changed.L = &s.mu
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

// Append appends the line that build appends to its argument, without its
// newline, and waits before that while the peer does not read. After End it
// does not wait.
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

// wait waits until there is room for an update, or nothing to wait for.
func (s *Stream) wait() {
	for s.err == nil && !s.ending && len(s.pending) >= s.limit {
		s.flushLocked()
		s.changed.Wait()
	}
}

// room is wait for a chunk, which End refuses.
func (s *Stream) room() error {
	s.wait()
	if s.ending && s.err == nil {
		return ErrClosed
	}
	return s.err
}

// End refuses further chunks, and has nobody wait any more: what is appended
// then are the few lines that end what has begun.
func (s *Stream) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
	s.changed.Broadcast()
}

// full hands over to the writer when enough has come together.
func (s *Stream) full() {
	if len(s.pending) >= min(enough, s.limit) {
		s.flushLocked()
	}
}

// Flush has what was appended written. It does not wait for that.
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

// write is the goroutine that writes.
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
		s.mu.Unlock()
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

// fail ends the stream. The first cause stays.
func (s *Stream) fail(err error) {
	if s.err == nil {
		s.err = err
		close(s.broken)
		s.changed.Broadcast()
	}
}

// Drain waits until everything that was appended is written, the stream is
// broken, or the time is over.
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

// Close writes what is left, for a moment at most, and closes both directions.
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
