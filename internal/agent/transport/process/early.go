package process

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// An early child was started before there was a session for it.
type early struct {
	child Child
	out   *peek
	dir   string
	began time.Time
}

// preparation is what a [driver] has started for its first session.
type preparation struct {
	mu           sync.Mutex
	ready        chan struct{} // see [agent.Preparer]; nil before Prepare
	child        *early        // nil once it serves a session or is stopped
	introduction *Introduction
	dismissed    bool // no session will use it
	work         sync.WaitGroup
}

// Prepare implements [agent.Preparer].
func (d *driver) Prepare(log *slog.Logger) <-chan struct{} {
	p := &d.prepared
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ready != nil {
		return p.ready
	}
	p.ready = make(chan struct{})
	if p.dismissed || d.isKnown() {
		close(p.ready)
		return p.ready
	}
	e, err := d.startEarly(log)
	if err != nil {
		log.Debug("the agent cannot be started before its first session", "error", err)
		close(p.ready)
		return p.ready
	}
	p.child = e
	go e.out.read(d.config.Dialect) // until the first event, or until the child ends
	p.work.Go(func() { d.learn(e) })
	return p.ready
}

// isKnown reports whether running the command would reveal nothing new.
func (d *driver) isKnown() bool {
	return d.config.Info != nil || !d.config.Greets || d.config.Takes != nil || d.config.Memory != nil && d.config.Memory.Recall() != nil
}

func (d *driver) startEarly(log *slog.Logger) (*early, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	c, err := d.config.start(dir, log)
	if err != nil {
		return nil, err
	}
	return &early{child: c, out: newPeek(c.Stdout()), dir: dir, began: time.Now()}, nil
}

// learn waits for the child's introduction. If the child does not introduce
// itself, the next run does not wait here again, but in its sessions.
func (d *driver) learn(e *early) {
	p := &d.prepared
	timer := time.NewTimer(cmp.Or(d.config.GreetTimeout, DefaultGreetTimeout))
	defer timer.Stop()
	known := Introduction{Brief: true}
	ended := false
	select {
	case <-e.out.done:
		if ended = e.out.err != nil; e.out.info != nil {
			known, ended = *e.out.info, false
		}
	case <-timer.C:
	}
	p.mu.Lock()
	p.introduction = &known
	p.mu.Unlock()
	close(p.ready)
	if d.config.Memory != nil && !ended {
		d.config.Memory.Remember(known)
	}
}

// known returns the command's introduction, or nil if it has not introduced
// itself.
func (d *driver) known() *Introduction {
	if d.config.Memory != nil {
		if known := d.config.Memory.Recall(); known != nil && known.Known {
			return known
		}
	}
	d.prepared.mu.Lock()
	defer d.prepared.mu.Unlock()
	if known := d.prepared.introduction; known != nil && known.Known {
		return known
	}
	return nil
}

// claim returns the early child if it can serve a session in dir, and stops it
// otherwise. It hands the child out only once.
func (d *driver) claim(dir string) *early {
	p := &d.prepared
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.child
	p.child = nil
	if e == nil || e.serves(dir) {
		return e
	}
	p.work.Go(func() { e.end(context.Background()) })
	return nil
}

// Dismiss implements [agent.Preparer].
func (d *driver) Dismiss(ctx context.Context) {
	p := &d.prepared
	p.mu.Lock()
	e := p.child
	p.child, p.dismissed = nil, true
	p.mu.Unlock()
	if e != nil {
		e.end(ctx)
	}
	p.work.Wait()
}

// serves reports whether the child is running in dir.
func (e *early) serves(dir string) bool {
	if e.hasEnded() {
		return false
	}
	if filepath.Clean(dir) == e.dir {
		return true
	}
	asked, err := os.Stat(dir)
	if err != nil {
		return false
	}
	own, err := os.Stat(e.dir)
	return err == nil && os.SameFile(asked, own)
}

// hasEnded reports whether the child is known to print nothing more.
func (e *early) hasEnded() bool {
	select {
	case <-e.child.Done():
		return true
	default:
	}
	select {
	case <-e.out.done:
		return e.out.err != nil
	default:
		return false
	}
}

// patience returns how long to keep waiting for the child's introduction. What it
// has already printed only has to be read.
func (e *early) patience(limit time.Duration) time.Duration {
	select {
	case <-e.out.done:
		return limit
	default:
		return max(0, limit-time.Since(e.began))
	}
}

// end stops the child, and drains its output so that it can't block.
func (e *early) end(ctx context.Context) {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, e.out)
	}()
	e.child.Stop(ctx)
	e.child.Close()
	<-drained
}
