package process

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOnlyACommandThatPrintsNothingIsCalledSilent(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(v *voice, over chan struct{})
		told      bool
	}{
		"nothing":    {func(*voice, chan struct{}) {}, true},
		"a line":     {func(v *voice, _ chan struct{}) { _, _ = v.Read(make([]byte, 8)) }, false},
		"it is over": {func(_ *voice, over chan struct{}) { close(over) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v, over := &voice{from: strings.NewReader("a line\n")}, make(chan struct{})
				var told atomic.Bool
				v.whenSilent(DefaultSilence, over, func() { told.Store(true) })
				time.Sleep(DefaultSilence - time.Nanosecond)
				synctest.Wait()
				require.False(t, told.Load(), "it has some time left")
				c.meanwhile(v, over)
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				require.Equal(t, c.told, told.Load())
			})
		})
	}
}
