package jsonrpc

import "io"

// feedSize is how much is buffered before it is forwarded, in bytes.
const feedSize = 64 << 10

// A Feed carries the lines of a turn from the reading goroutine to the
// decoder. The reader, and thus the agent, blocks while the decoder does not
// read.
type Feed struct {
	Request int64 // the id of the prompt request

	*io.PipeReader
	writer  *io.PipeWriter
	pending []byte // belongs to the reading goroutine, once it has the feed
}

// NewFeed returns a feed for the lines of a prompt.
func NewFeed(request int64) *Feed {
	r, w := io.Pipe()
	return &Feed{Request: request, PipeReader: r, writer: w}
}

// Add adds a line.
func (f *Feed) Add(line []byte) {
	f.pending = append(append(f.pending, line...), '\n')
	if len(f.pending) >= feedSize {
		f.Flush()
	}
}

// Flush forwards buffered lines.
func (f *Feed) Flush() {
	if len(f.pending) > 0 {
		_, _ = f.writer.Write(f.pending) // fails if nobody reads any more
		f.pending = f.pending[:0]
	}
}

// End ends the feed. err is the turn's error, or nil.
func (f *Feed) End(err error) {
	f.Flush()
	_ = f.writer.CloseWithError(err) // it never fails
}

// Abandon releases writers that wait for the decoder.
func (f *Feed) Abandon() { _ = f.Close() } // it never fails
