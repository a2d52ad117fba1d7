package main

import (
	"bufio"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// An arrival is an answer and when it came.
type arrival struct {
	*message
	at  time.Time
	err error // the stream has ended or is broken; no arrival follows
}

// listen reads all that a bridge sends and hands over the answers. It ends
// after an arrival with an error.
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

// A pacer reads at a steady number of bytes a second until it is released.
type pacer struct {
	io.Reader
	rate     int
	released atomic.Bool
	next     time.Time
}

// sip is the size of a paced read: small against what a pipe holds.
const sip = 4 << 10

// Read implements [io.Reader].
func (p *pacer) Read(b []byte) (int, error) {
	if p.rate == 0 || p.released.Load() {
		return p.Reader.Read(b)
	}
	time.Sleep(time.Until(p.next))
	n, err := p.Reader.Read(b[:min(len(b), sip)])
	if now := time.Now(); p.next.Before(now.Add(-time.Second)) {
		p.next = now // what was missed long ago is not made up for
	}
	p.next = p.next.Add(time.Second * time.Duration(n) / time.Duration(p.rate))
	return n, err
}
