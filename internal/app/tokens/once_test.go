package tokens_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/tokens"
)

func TestACodeMakesOneTokenOnce(t *testing.T) {
	store := tokens.Open(t.TempDir())
	o := tokens.NewOnce(time.Hour, func() (string, error) { return store.Create("page", time.Hour) })
	code := o.Code()
	require.Regexp(t, `^tw1_[A-Z2-7]{26}$`, code)
	for _, other := range []string{"", "tw1_", code + "x", code[:len(code)-1]} {
		_, ok := o.Trade(other)
		require.False(t, ok, other)
	}
	made := make(chan string, 8)
	var work sync.WaitGroup
	for range cap(made) {
		work.Go(func() {
			if token, ok := o.Trade(code); ok {
				made <- token
			}
		})
	}
	work.Wait()
	require.Len(t, made, 1)
	name, known := store.Known(nil).Find(<-made)
	require.True(t, known)
	require.Equal(t, "page", name)
}

func TestACodeThatIsTooOldMakesNone(t *testing.T) {
	o := tokens.NewOnce(0, func() (string, error) { return "token", nil })
	_, ok := o.Trade(o.Code())
	require.False(t, ok)
}

func TestACodeWhoseTokenCannotBeMadeSaysWhy(t *testing.T) {
	broken := errors.New("the disk is full")
	o := tokens.NewOnce(time.Hour, func() (string, error) { return "", broken })
	var failure error
	o.Failed = func(err error) { failure = err }
	_, ok := o.Trade(o.Code())
	require.False(t, ok)
	require.ErrorIs(t, failure, broken)
}
