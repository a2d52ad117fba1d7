package ahphost_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Clients ignore actions with numbers that they have seen.
func TestNumbersGrowAlthoughTheClockWasSetBack(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		clock := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
		w.now = func() time.Time { return clock }
		first := func(name string) int64 {
			w.host.Close()
			w.begin(0)
			p := w.connect(name)
			p.say(t, strings.Replace(hello, "%s", name, 1))
			w.settle()
			var m struct{ Result struct{ ServerSeq int64 } }
			require.NoError(t, json.Unmarshal([]byte(p.drain()[0]), &m))
			return m.Result.ServerSeq
		}
		before := first("a")
		clock = clock.Add(-time.Hour)
		after := first("b")
		require.Greater(t, after, before)
		numbers := filepath.Join(w.folder, "numbers.json")
		for name, text := range map[string]string{"c": "{", "d": `{"unused":9007199254740993}`, "e": `{"unused":-1}`} {
			w.host.Close() // it saves its own
			require.NoError(t, os.WriteFile(numbers, []byte(text), 0o600))
			require.Equal(t, clock.UnixMilli()*1000+1, first(name), text)
		}
	})
}

// A client may come from another machine, whose clock is ahead. A made-up number changes nothing.
func TestNumbersGrowForAClientOfAnotherMachine(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		clock := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
		w.now = func() time.Time { return clock }
		w.host.Close()
		w.begin(0)
		from := func(name string, seen int64) int64 {
			p := w.connect(name)
			p.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"reconnect","params":{"clientId":%q,"lastSeenServerSeq":%d,"subscriptions":["ahp-root://"]}}`, name, seen))
			w.settle()
			var m struct {
				Result struct {
					Type      string
					Snapshots []struct{ FromSeq int64 }
				}
			}
			require.NoError(t, json.Unmarshal([]byte(p.drain()[0]), &m))
			require.Equal(t, "snapshot", m.Result.Type)
			return m.Result.Snapshots[0].FromSeq
		}
		now := clock.UnixMilli() * 1000
		require.Equal(t, now+1, from("a", now+400*24*3600*1e6))
		seen := now + 2*3600*1e6
		require.Greater(t, from("b", seen), seen)
		require.Greater(t, from("c", seen), seen, "it has seen the same number, but not of this host")
		require.Greater(t, from("d", now), seen)
	})
}
