package natsstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	// window bounds the bytes in a tunnel that the other end has not read.
	window = 4 << 20
	// maxFrame bounds the data of one frame, in bytes.
	maxFrame = 128 << 10
	// beat is the interval of heartbeats, and beats the number that may be missed.
	beat  = 3 * time.Second
	beats = 5
)

// The kinds of frames. A frame consists of its kind, an eight-byte number, and data.
const (
	frameData = 'd' // the number of bytes sent before
	frameRead = 'r' // the number of bytes read
	frameBeat = 's' // the number of bytes sent before
	frameEnd  = 'e'
)

const frameHead = 9

var errTunnel = errors.New("the connection to the other server was lost")

// A Tunnel is a byte stream to another server. One goroutine may read while another
// writes. The tunnel ends if data was lost, or if the other end is silent for too long.
// A loss at the end of the data is detected at the next heartbeat.
type Tunnel struct {
	conn *connection
	in   *nats.Subscription
	stop chan struct{}

	sending sync.Mutex // ensures that data counted in sent is published before the next count

	mu           sync.Mutex
	changed      sync.Cond
	to           string // the subject of the other end
	received     []byte
	got          uint64 // the total number of bytes received
	read         uint64
	acknowledged uint64 // the value of read that the other end knows
	sent         uint64
	known        uint64 // the part of sent that the other end has read
	lastReceived time.Time
	end          error
}

// newTunnel creates a local end of a tunnel. The caller must pass its subject to the
// other end, and then call begin.
func newTunnel(c *connection, subject string) (*Tunnel, error) {
	t := &Tunnel{conn: c, stop: make(chan struct{}), lastReceived: time.Now()}
	t.changed.L = &t.mu
	var err error
	if t.in, err = c.nc.Subscribe(subject, func(m *nats.Msg) { t.handle(m.Data) }); err != nil {
		return nil, err
	}
	// A well-behaved end sends less than two windows.
	return t, t.in.SetPendingLimits(-1, 2*window)
}

// begin starts the exchange with the end at subject to.
func (t *Tunnel) begin(to string) {
	t.mu.Lock()
	t.to = to
	t.mu.Unlock()
	t.conn.work.Go(t.beat)
}

func (t *Tunnel) beat() {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-t.stop:
			return
		case <-t.conn.ctx.Done():
			t.finish(io.EOF)
			return
		case <-tick.C:
		}
		t.mu.Lock()
		silent := time.Since(t.lastReceived) > beats*beat
		t.mu.Unlock()
		if silent {
			t.finish(errTunnel)
			return
		}
		t.sending.Lock()
		t.mu.Lock()
		sent := t.sent
		t.mu.Unlock()
		t.send(frameBeat, sent, nil)
		t.sending.Unlock()
	}
}

func (t *Tunnel) send(kind byte, number uint64, data []byte) {
	t.mu.Lock()
	to := t.to
	t.mu.Unlock()
	frame := append(binary.BigEndian.AppendUint64([]byte{kind}, number), data...)
	if err := t.conn.nc.Publish(to, frame); err != nil {
		t.finish(fmt.Errorf("%w: %w", errTunnel, err))
	}
}

// handle processes a frame.
func (t *Tunnel) handle(frame []byte) {
	if len(frame) < frameHead {
		t.finish(errTunnel)
		return
	}
	number, data := binary.BigEndian.Uint64(frame[1:]), frame[frameHead:]
	t.mu.Lock()
	t.lastReceived = time.Now()
	broken := false
	switch frame[0] {
	case frameData:
		broken = number != t.got || len(t.received)+len(data) > window
		if !broken && t.end == nil {
			t.received = append(t.received, data...)
			t.got += uint64(len(data))
		}
	case frameBeat:
		broken = number != t.got
	case frameRead:
		if broken = number < t.known || number > t.sent; !broken {
			t.known = number
		}
	}
	t.changed.Broadcast()
	t.mu.Unlock()
	switch {
	case broken:
		t.finish(errTunnel)
	case frame[0] == frameEnd:
		t.finish(io.EOF)
	}
}

// Read implements [io.Reader]. Data that arrived before the end can still be read.
func (t *Tunnel) Read(p []byte) (int, error) {
	t.mu.Lock()
	for len(t.received) == 0 && t.end == nil {
		t.changed.Wait()
	}
	if len(t.received) == 0 {
		defer t.mu.Unlock()
		return 0, t.end
	}
	n := copy(p, t.received)
	if t.received = t.received[n:]; len(t.received) == 0 {
		t.received = nil
	}
	t.read += uint64(n)
	tell := t.read-t.acknowledged >= window/4
	if tell {
		t.acknowledged = t.read
	}
	read := t.read
	t.mu.Unlock()
	if tell {
		t.send(frameRead, read, nil)
	}
	return n, nil
}

// Write implements [io.Writer]. It waits while the other end does not read.
func (t *Tunnel) Write(p []byte) (written int, err error) {
	for len(p) > 0 {
		part := p[:min(len(p), maxFrame, int(t.conn.nc.MaxPayload())-frameHead)]
		t.mu.Lock()
		for t.end == nil && t.sent-t.known+uint64(len(part)) > window {
			t.changed.Wait()
		}
		ended := t.end != nil
		t.mu.Unlock()
		if ended {
			return written, io.ErrClosedPipe
		}
		t.sendPart(part)
		written += len(part)
		p = p[len(part):]
	}
	return written, nil
}

// sendPart sends data that fits into the window.
func (t *Tunnel) sendPart(part []byte) {
	t.sending.Lock()
	defer t.sending.Unlock()
	t.mu.Lock()
	before := t.sent
	t.sent += uint64(len(part))
	t.mu.Unlock()
	t.send(frameData, before, part)
}

// Close ends the tunnel, and tells the other end.
func (t *Tunnel) Close() error {
	t.finish(io.EOF)
	return nil
}

// finish ends the tunnel with the error why.
func (t *Tunnel) finish(why error) {
	t.mu.Lock()
	first := t.end == nil
	if first {
		t.end = why
	}
	t.changed.Broadcast()
	to := t.to
	t.mu.Unlock()
	if !first {
		return
	}
	close(t.stop)
	if err := t.in.Unsubscribe(); err != nil {
		t.conn.log.Debug("ending a tunnel", "error", err)
	}
	if to != "" {
		frame := binary.BigEndian.AppendUint64([]byte{frameEnd}, 0)
		if err := t.conn.nc.Publish(to, frame); err != nil {
			t.conn.log.Debug("the other server was not notified that a tunnel ended", "error", err)
		}
	}
}
