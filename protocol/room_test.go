package protocol_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestAwaitRoomWaitsForRoomAndEarlierUpdates(t *testing.T) {
	for name, end := range map[string]func(release func(), end, closing func()){
		"until the peer reads": func(release, _, _ func()) { release() },
		"until the end":        func(_, end, _ func()) { end() },
		"until it is closed":   func(_, _, closing func()) { closing() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, out := busy(t)
				s.AwaitRoom() // there is room
				fill(t, s)
				var appended, passed atomic.Int32
				go func() {
					_ = s.Append(line(`"waited"`))
					appended.Add(1)
				}()
				for range 3 {
					go func() {
						s.AwaitRoom()
						passed.Add(1)
					}()
				}
				synctest.Wait()
				require.Zero(t, appended.Load())
				require.Zero(t, passed.Load())
				end(func() { out.release <- struct{}{} }, s.End, func() { _ = s.Close() })
				synctest.Wait()
				require.EqualValues(t, 1, appended.Load())
				require.EqualValues(t, 3, passed.Load())
				require.NoError(t, s.Close())
			})
		})
	}
}
