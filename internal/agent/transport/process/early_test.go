//go:build unix

package process_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// introduces prints what it accepts, records where it runs, and echoes its input.
const introduces = `printf '{"type":"agent_info","name":"Tea","prompt":{"image":true,"audio":true}}\n'; pwd >> "$OUT"; ` + echo

// prepared is an agent that was started before its first session.
type prepared struct {
	agent.Agent
	t   *testing.T
	out string // one line for each start
	dir string
}

// prepare starts an agent in a new directory, and waits for it.
func prepare(t *testing.T, config process.Config) *prepared {
	t.Helper()
	p := unprepared(t, config)
	<-p.Agent.(agent.Preparer).Prepare(slog.New(slog.DiscardHandler))
	return p
}

func unprepared(t *testing.T, config process.Config) *prepared {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	t.Chdir(dir)
	out := filepath.Join(t.TempDir(), "out")
	config.Greets = true
	if config.GreetTimeout == 0 {
		config.GreetTimeout = patience // a test that needs the timeout hangs
	}
	config.Env = append(os.Environ(), "OUT="+out)
	p := &prepared{process.New(config), t, out, dir}
	t.Cleanup(p.dismiss)
	return p
}

func (p *prepared) dismiss() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p.Agent.(agent.Preparer).Dismiss(ctx)
}

func (p *prepared) open(o agent.Options) *conversation {
	p.t.Helper()
	o.SessionID = "s1"
	return &conversation{Conversation: agenttest.Open(p.t, p, o, brief)}
}

// starts lists where the agent was started.
func (p *prepared) starts() []string {
	text, err := os.ReadFile(p.out)
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(p.t, err)
	return strings.Fields(string(text))
}

func TestAnEarlyAgentReportsWhatItAccepts(t *testing.T) {
	p := prepare(t, scripted(introduces))
	require.Equal(t, agent.Info{Name: "sh", Title: "Tea", Image: true, Audio: true, Local: true}, p.Info())
	// Its output is received once, and it receives its session then.
	c := p.open(agent.Options{Cwd: p.dir, Roots: []string{"/tmp"}, About: agent.Editor{Name: "zed"}})
	require.Equal(t, []string{"agent_info"}, c.introduced())
	c.prompt("t1")
	events := c.until("done")
	require.Len(t, events, 3)
	require.Contains(t, events[0], `{"type":"session","sessionId":"s1","cwd":"`+p.dir+`","roots":["/tmp"]`)
	require.Contains(t, events[0], `"editor":{"name":"zed"`)
	require.Contains(t, events[1], `{"type":"prompt"`)
	require.Equal(t, []string{p.dir}, p.starts())
	// The second session has a separate agent.
	second := p.open(agent.Options{Cwd: p.dir})
	require.Equal(t, []string{"agent_info"}, second.introduced())
	second.prompt("t1")
	second.until("done")
	require.Equal(t, []string{p.dir, p.dir}, p.starts())
}

func TestAnotherNameOfTheDirectoryIsTheSameDirectory(t *testing.T) {
	p := prepare(t, scripted(introduces))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(p.dir, link))
	c := p.open(agent.Options{Cwd: link})
	c.introduced()
	c.prompt("t1")
	require.Contains(t, c.until("done")[0], `"cwd":"`+link+`"`)
	require.Equal(t, []string{p.dir}, p.starts())
}

func TestASessionInAnotherDirectoryHasAnAgentThere(t *testing.T) {
	p := prepare(t, scripted(introduces+`; echo gone >> "$OUT"`))
	other, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	c := p.open(agent.Options{Cwd: other})
	c.introduced()
	c.prompt("t1")
	c.until("done")
	p.dismiss()
	require.ElementsMatch(t, []string{p.dir, "gone", other}, p.starts())
}

func TestAnEarlyAgentWithoutASessionIsEnded(t *testing.T) {
	p := prepare(t, scripted(introduces+`; echo gone >> "$OUT"`))
	p.dismiss()
	require.Equal(t, []string{p.dir, "gone"}, p.starts())
	p.dismiss()
}

func TestAnEarlyAgentCanBeEndedBeforeItIsReady(t *testing.T) {
	p := unprepared(t, scripted(`exec sleep 3600`))
	ready := p.Agent.(agent.Preparer).Prepare(slog.New(slog.DiscardHandler))
	p.dismiss()
	<-ready
	require.False(t, p.Info().Image)
}

func TestKnownAgentsAreNotStartedEarly(t *testing.T) {
	for name, change := range map[string]func(*process.Config){
		"by the configuration":             func(c *process.Config) { c.Takes = new(agent.PromptTakes) },
		"from last time":                   func(c *process.Config) { c.Memory = &recorded{known: &process.Introduction{Known: true}} },
		"from last time, that it is quiet": func(c *process.Config) { c.Memory = &recorded{known: new(process.Introduction)} },
	} {
		t.Run(name, func(t *testing.T) {
			config := scripted(introduces)
			change(&config)
			p := prepare(t, config)
			p.dismiss()
			require.Empty(t, p.starts())
		})
	}
	t.Run("after the end", func(t *testing.T) {
		p := unprepared(t, scripted(introduces))
		p.dismiss()
		<-p.Agent.(agent.Preparer).Prepare(slog.New(slog.DiscardHandler))
		require.Empty(t, p.starts())
	})
}

func TestWhatAnEarlyAgentSaysIsRemembered(t *testing.T) {
	for script, want := range map[string]*process.Introduction{
		introduces:                          {Known: true, Name: "Tea", Takes: agent.Takes{PromptTakes: agent.PromptTakes{Image: true, Audio: true}}},
		`echo no event; ` + introduces:      {Known: true, Name: "Tea", Takes: agent.Takes{PromptTakes: agent.PromptTakes{Image: true, Audio: true}}},
		`say something else; ` + introduces: {Brief: true},
		echo:                                {Brief: true},
		`exit 3`:                            nil, // the first prompt reports the reason
	} {
		t.Run(script, func(t *testing.T) {
			memory := new(recorded)
			config := scripted(script)
			config.Memory = memory
			if script == echo {
				config.GreetTimeout = time.Millisecond
			}
			p := prepare(t, config)
			p.dismiss()
			require.Equal(t, want, memory.Recall())
		})
	}
}

// In the next run, initialize does not wait for such an agent, but its session
// does: the agent must know its session before the first prompt.
func TestASessionWaitsForAnAgentThatWasSlow(t *testing.T) {
	memory := &recorded{known: &process.Introduction{Brief: true}}
	config := scripted(introduces)
	config.Memory = memory
	p := prepare(t, config)
	require.Empty(t, p.starts(), "initialize does not wait")
	c := p.open(agent.Options{Cwd: p.dir})
	require.Equal(t, []string{"agent_info"}, c.introduced())
	require.True(t, memory.Recall().Known)
}

// If an agent did not introduce itself within its time, nothing waits for it
// again, but its events are received.
func TestAnEarlyAgentIsWaitedForOnce(t *testing.T) {
	config := scripted(`read -r line; ` + introduces)
	config.GreetTimeout, config.Memory = time.Millisecond, new(recorded)
	p := prepare(t, config)
	c := p.open(agent.Options{Cwd: p.dir})
	require.Empty(t, c.introduced())
	c.prompt("t1")
	require.Equal(t, "agent_info", c.next())
	limits.Eventually(t, func() bool { return p.Info().Image })
}

func TestAnEarlyAgentThatOnlyReadsPromptsGetsNothingElse(t *testing.T) {
	config := scripted(echo)
	config.GreetTimeout = time.Millisecond
	p := prepare(t, config)
	c := p.open(agent.Options{Cwd: p.dir})
	c.prompt("t1")
	require.Contains(t, c.until("done")[0], `{"type":"prompt"`)
}

// Lines that are no events must be read too: they may show that the command is not an agent.
func TestAnEarlyAgentsOtherLinesReachItsSession(t *testing.T) {
	config := scripted(`echo '{"no":"type"}'; cat > /dev/null`)
	config.GreetTimeout, config.Silence = time.Millisecond, time.Hour
	p := prepare(t, config)
	c := p.open(agent.Options{Cwd: p.dir})
	c.prompt("t1")
	require.Equal(t, "hint", c.next())
}

func TestAnEarlyAgentThatEndedIsRestarted(t *testing.T) {
	config := scripted(`echo started >> "$OUT"; [ "$(wc -l < "$OUT")" -gt 1 ] || exit 3; ` + echo)
	p := prepare(t, config)
	c := p.open(agent.Options{Cwd: p.dir})
	c.prompt("t1")
	require.Contains(t, c.until("done")[0], `{"type":"prompt"`)
	require.Equal(t, []string{"started", "started"}, p.starts())
}

func TestAMissingCommandIsNotAnErrorBeforeItsSession(t *testing.T) {
	p := prepare(t, process.Config{Args: []string{"no-such-agent-anywhere"}})
	_, err := p.Open(t.Context(), agent.Options{Cwd: p.dir})
	require.ErrorContains(t, err, "install it")
}

func TestAnEarlyAgentThatFloodsIsEnded(t *testing.T) {
	for _, script := range []string{`trap '' TERM; yes '{"type":"text_delta","text":"flood"}'`, `yes`, `yes | tr -d '\n'`} {
		p := prepare(t, scripted(script))
		p.dismiss()
	}
}
