// Package failing tests test helpers that are expected to fail their test.
package failing

import (
	"runtime"
	"testing"
)

type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { r.failed = true; runtime.Goexit() }

// Fails reports whether check fails its test. The test t itself does not fail.
func Fails(t testing.TB, check func(t testing.TB)) bool {
	t.Helper()
	r := recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		check(&r)
	}()
	<-done
	return r.failed
}
