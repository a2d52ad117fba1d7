package jsonrpc

import "io"

// feedSize is how much is gathered before it is forwarded.
const feedSize = 64 << 10

// A Feed carries the lines of a turn from the goroutine that reads to whoever
// decodes them. The former waits while the latter does not read, and so does
// the agent.
type Feed struct {
	Request int64 // the id of the prompt

	*io.PipeReader
	writer  *io.PipeWriter
	pending []byte // for the goroutine that reads, once that has the feed
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

// Flush forwards the lines.
func (f *Feed) Flush() {
	if len(f.pending) > 0 {
		_, _ = f.writer.Write(f.pending) // it fails where nobody reads any more
		f.pending = f.pending[:0]
	}
}

// End ends the feed; err is what the turn failed with.
func (f *Feed) End(err error) {
	f.Flush()
	_ = f.writer.CloseWithError(err) // it never fails
}

// Abandon has nobody wait for whoever decodes.
func (f *Feed) Abandon() { _ = f.Close() } // it never fails
