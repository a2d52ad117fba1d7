package natsstore

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// workers is how many leases are renewed, or sessions described, concurrently.
const workers = 16

// sessions are the sessions that this process owns. The mutex guards the set, and is
// not held while anything else is called.
type sessions struct {
	mu  sync.Mutex
	set map[*owned]bool
}

func (s *sessions) add(o *owned) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set[o] = true
}

func (s *sessions) remove(o *owned) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.set, o)
}

func (s *sessions) list() []*owned {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.set))
}

// find returns the session with an id, or nil.
func (s *sessions) find(id string) *owned {
	for _, o := range s.list() {
		if o.header.ID == id {
			return o
		}
	}
	return nil
}

// awaitRelease waits until a session that was closed is released, but not for long.
func (s *sessions) awaitRelease(id string) {
	if o := s.find(id); o != nil {
		o.mu.Lock()
		released := o.released
		o.mu.Unlock()
		if released == nil {
			return
		}
		late := time.NewTimer(settleTime)
		defer late.Stop()
		select {
		case <-released:
		case <-late.C:
		}
	}
}

// renew renews the leases of all sessions at an interval until the connection is closed.
func (s *sessions) renew(conn *connection, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-conn.ctx.Done():
			return
		case <-tick.C:
		}
		all := s.list()
		forEach(len(all), func(i int) {
			if conn.reachable() == nil {
				all[i].renew()
			}
		})
	}
}

// forEach calls do with the numbers from 0 to n-1, several at once, and waits for all
// calls.
func forEach(n int, do func(i int)) {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var work sync.WaitGroup
	for range min(workers, n) {
		work.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	work.Wait()
}
