package main

import (
	"bufio"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// An arrival is a response and its time of arrival.
type arrival struct {
	*message
	at  time.Time
	err error // the stream ended or is broken; no arrival follows
}

// listen reads everything from a bridge and sends the responses to answers. It ends after
// an arrival with an error.
func listen(r io.Reader, answers chan<- arrival) {
	lines := bufio.NewReaderSize(r, chunk)
	for {
		line, err := lines.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		update := isUpdate(line)
		for long && errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		if err != nil {
			answers <- arrival{err: err}
			return
		}
		if update || long {
			continue
		}
		at := time.Now()
		m, err := answer(line)
		if m != nil || err != nil {
			answers <- arrival{m, at, err}
		}
		if err != nil {
			return
		}
	}
}

// A pacer reads at a steady rate, in bytes per second, until it is released.
type pacer struct {
	io.Reader
	rate     int
	released atomic.Bool
	next     time.Time
}

// sip is the size of a paced read, which is small compared with a pipe's buffer.
const sip = 4 << 10

// Read implements [io.Reader].
func (p *pacer) Read(b []byte) (int, error) {
	if p.rate == 0 || p.released.Load() {
		return p.Reader.Read(b)
	}
	time.Sleep(time.Until(p.next))
	n, err := p.Reader.Read(b[:min(len(b), sip)])
	if now := time.Now(); p.next.Before(now.Add(-time.Second)) {
		p.next = now // don't catch up on reads missed long ago
	}
	p.next = p.next.Add(time.Second * time.Duration(n) / time.Duration(p.rate))
	return n, err
}
