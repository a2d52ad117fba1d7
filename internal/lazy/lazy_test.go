package lazy_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/lazy"
)

func TestAValueIsMadeOnceAndOnlyWhenItIsNeeded(t *testing.T) {
	var made atomic.Int32
	v := lazy.Value[*int]{Make: func() *int { made.Add(1); return new(int) }}
	require.Zero(t, made.Load())
	var all sync.WaitGroup
	got := make([]*int, 8)
	for i := range got {
		all.Go(func() { got[i] = v.Get() })
	}
	all.Wait()
	require.EqualValues(t, 1, made.Load())
	for _, p := range got {
		require.Same(t, v.Get(), p)
	}
}

func TestARegexpIsCompiledOnce(t *testing.T) {
	r := lazy.Regexp{Expr: `^a+$`}
	compiled := r.Get()
	require.True(t, compiled.MatchString("aa"))
	require.False(t, compiled.MatchString("ab"))
	require.Same(t, compiled, r.Get())
	require.Panics(t, func() { (&lazy.Regexp{Expr: `(`}).Get() })
}
