package cli

import (
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// A settling is an output after whose first write this process settles down to
// work for a long time. The first write answers initialize: the editor does not
// wait for what pays off only later.
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

// collectEarly collects garbage earlier than Go's default: a bridge runs beside
// an editor for days, and allocates so little that this costs next to nothing.
// With 50, it may use twice as much memory while its editor does not read.
func collectEarly() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(60)
	}
}

// useOneProcessor runs one goroutine at a time. Data passes through a bridge
// from one goroutine to the next. On several processors each goroutine fetches
// what another has in its cache, and has to wake it, which takes half as much
// time again. One processor carries hundreds of megabytes a second, more than
// agents write.
func useOneProcessor() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}
