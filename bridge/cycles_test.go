package bridge_test

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/journal"
)

// Sessions that were opened, prompted, closed, loaded and deleted leave no
// goroutine behind. TURNWIRE_CYCLES says how many.
func TestSessionsThatComeAndGoLeaveNoGoroutine(t *testing.T) {
	cycles := 100
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
	before := runtime.NumGoroutine()
	for range cycles {
		cycle()
	}
	deadline := time.Now().Add(patience)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before)
}
