package cli

import (
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// A settling is an output that tunes this process for long-term work after the first
// write. The first write is the initialize response: the editor should not wait for
// settings that only pay off later.
type settling struct {
	io.WriteCloser

	once sync.Once
}

// Write implements [io.Writer].
func (s *settling) Write(p []byte) (int, error) {
	n, err := s.WriteCloser.Write(p)
	s.once.Do(settle)
	return n, err
}

func settle() {
	collectEarly()
	useOneProcessor()
}

// collectEarly collects garbage earlier than Go does by default. A bridge runs next to an
// editor for days and allocates so little that this costs next to nothing. A setting of
// 50 would allow twice as much memory while the editor doesn't read.
func collectEarly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(60)
	}
}

// useOneProcessor runs one goroutine at a time. Data passes through a bridge from one
// goroutine to the next. With several processors, each goroutine has to wake the next
// one, which then fetches the data from another processor's cache; that takes half as
// much time again. One processor carries hundreds of megabytes per second, more than
// agents write.
func useOneProcessor() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}
