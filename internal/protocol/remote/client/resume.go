package client

import "time"

const (
	// silence is how long the server may send nothing. Because it answers heartbeats, a
	// longer silence means that it can't be reached.
	silence = 8 * time.Second
	// redialTimeout bounds an attempt to reconnect.
	redialTimeout = 5 * time.Second
	// firstPause is the pause after the first failed attempt to reconnect. Each pause is
	// twice the one before, up to Resume.MaxPause.
	firstPause = 100 * time.Millisecond
	// maxUnsent bounds the messages that the server has not acknowledged, in bytes.
	// Writes then wait. A single message may exceed it.
	maxUnsent = 64 << 20
	// reportMessages and reportBytes are after how many received messages, or bytes, the
	// server gets a report.
	reportMessages, reportBytes = 64, 64 << 10
)

// Resume makes a connection survive the loss of its WebSocket, or of its HTTP requests. Its
// functions are called one at a time, and must not block.
type Resume struct {
	// Lost is called when the server can't be reached any more. The connection is then
	// restored in the background. It may be nil.
	Lost func(cause error)
	// Back is called when the connection is restored. It may be nil.
	Back func()
	// Patience is how long to try to reach the server. After that, the connection ends.
	// Zero means forever.
	Patience time.Duration
	// Await also tries again if the first attempt to connect fails.
	Await bool
	// MaxPause is the longest pause between two attempts to reconnect. Default: two
	// seconds.
	MaxPause time.Duration
}

// A ResetError says that the server is reachable, but no longer has the connection. What
// was sent and not answered is lost.
type ResetError struct {
	// Restarted reports whether another process serves now, or will.
	Restarted bool
	// Stopped reports whether somebody stopped the server.
	Stopped bool
}

// Error implements error.
func (e *ResetError) Error() string {
	if e.Restarted {
		return "the server was restarted"
	}
	return "the server no longer has the connection"
}

// A resumable is a connection that survives its WebSockets, if the server supports it.
type resumable struct {
	*unacked // its mutex also guards the following fields

	conn   *Conn
	resume Resume

	received int64 // messages that were delivered
	report   bool  // a report is due
	unsaid   int   // messages received since the last report
	size     int   // and their bytes
	bye      bool  // this side ends the connection
	said     chan struct{}

	// Only the goroutine in run uses the following fields.
	id, instance string
	plain        bool // the server can't resume
}

func newResumable(c *Conn, r Resume) *resumable {
	if r.MaxPause == 0 {
		r.MaxPause = 2 * time.Second
	}
	return &resumable{unacked: newUnacked(), conn: c, resume: r, said: make(chan struct{})}
}

// send queues a message. It waits while too much is queued.
func (r *resumable) send(line []byte) error { return r.add(r.conn.ctx, line) }
