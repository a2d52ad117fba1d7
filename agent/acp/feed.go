package acp

import "io"

// feedSize is how much is gathered before it is given to the turn.
const feedSize = 64 << 10

// A feed carries the lines of a turn from the link to whoever decodes them.
// The link waits while nobody reads, and so does the agent.
type feed struct {
	prompt int64 // the id of the prompt
	reader *io.PipeReader
	writer *io.PipeWriter
	// What follows is the link's reader's alone, once the feed is open.
	pending []byte
}

func newFeed(prompt int64) *feed {
	r, w := io.Pipe()
	return &feed{prompt: prompt, reader: r, writer: w}
}

func (f *feed) add(line []byte) {
	f.pending = append(append(f.pending, line...), '\n')
	if len(f.pending) >= feedSize {
		f.flush()
	}
}

func (f *feed) flush() {
	if len(f.pending) == 0 {
		return
	}
	_, _ = f.writer.Write(f.pending) // it fails where nobody reads any more
	f.pending = f.pending[:0]
}

// end ends the feed; err is what the turn failed with.
func (f *feed) end(err error) {
	f.flush()
	_ = f.writer.CloseWithError(err) // it never fails
}

// abandon lets the link go on without the turn.
func (f *feed) abandon() { _ = f.reader.Close() } // it never fails
