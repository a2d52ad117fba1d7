package bridge_test

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Sessions that were opened, prompted, closed, loaded and deleted leave no goroutine
// behind. TURNWIRE_CYCLES sets the number of cycles.
func TestSessionsThatComeAndGoLeaveNoGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cycles := 30
		if n, err := strconv.Atoi(os.Getenv("TURNWIRE_CYCLES")); err == nil && n > 0 {
			cycles = n
		}
		p := newPuppet()
		p.info = agent.Info{Resume: true}
		e := connect(t, p, keeping(journal.NewFolder(t.TempDir())))
		e.initialize(`{}`)
		cycle := func() {
			e.ids = nil
			e.request("1", "session/new", `{"cwd":"/project","mcpServers":[]}`)
			e.until("1")
			for range 2 {
				s := p.session(t)
				e.write(promptS1("2", "tea"))
				s.command()
				s.say(`{"type":"done","text":"Tea."}`)
				e.until("2")
				e.request("3", "session/close", `{"sessionId":"S1"}`)
				e.until("3")
				e.request("4", "session/load", loadS1)
				e.until("4")
			}
			p.session(t)
			e.request("5", "session/delete", `{"sessionId":"S1"}`)
			e.until("5")
		}
		for range 5 {
			cycle()
		}
		synctest.Wait()
		before := runtime.NumGoroutine()
		for range cycles {
			cycle()
		}
		synctest.Wait()
		// A goroutine that has just ended may still be counted, but a leak would show
		// once per cycle.
		require.Less(t, runtime.NumGoroutine(), before+cycles)
	})
}
