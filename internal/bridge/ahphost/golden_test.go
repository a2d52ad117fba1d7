package ahphost_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/test/golden"
)

// A transcript is a script and its result. A line of the script is one of
//
//	NAME connects     a client of the host
//	NAME is an editor a client of the hub
//	NAME goes
//	NAME: JSON        a message from NAME; the agent's name is agent
//	sleep DURATION
//	restart           the host ends and starts again
//
// The section history, if any, has the lines that the agent sends when the
// session LOADED is loaded.
//
// In JSON, $method is the id of the last request with that method that the sender
// received, SESSION and CHAT are channels, and HOME is a folder with a file.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, path string) {
		archive := golden.Read(t, path)
		sections := make(map[string]string)
		for _, f := range archive.Sections() {
			sections[f.Name] = string(f.Data)
			if f.Name != "transcript" {
				archive.Add(f.Name, string(f.Data))
			}
		}
		home := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(home, "notes.md"), []byte("a note\n"), 0o600))
		var got string
		synctest.Test(t, func(t *testing.T) { got = play(t, home, sections) })
		archive.Add("transcript", got)
		archive.Check(t)
	})
}

// play plays a script.
func play(t *testing.T, home string, sections map[string]string) string {
	p := &player{t: t, world: newWorld(t, home), parties: make(map[string]*party), ids: make(map[string]string)}
	defer p.world.close()
	if options := sections["options"]; options != "" {
		p.world.options = compact(t, options)
	}
	if history := strings.TrimSpace(sections["history"]); history != "" {
		p.world.history = strings.Split(history, "\n")
	}
	for line := range strings.Lines(sections["script"]) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			fmt.Fprintf(&p.out, "%s\n", line)
			p.step(line)
			p.show()
		}
	}
	return p.out.String()
}

type player struct {
	t       *testing.T
	world   *world
	parties map[string]*party
	names   []string
	ids     map[string]string // of requests, by recipient and method
	out     strings.Builder
}

func (p *player) step(line string) {
	t := p.t
	name, rest, found := strings.Cut(line, ": ")
	first, second, _ := strings.Cut(line, " ")
	switch {
	case found && !strings.Contains(name, " "):
		rest = strings.NewReplacer(`"SESSION"`, `"`+session+`"`, `"CHAT"`, `"`+chat+`"`, "HOME", filepath.ToSlash(p.world.home)).Replace(rest)
		rest = regexp.MustCompile(`"\$([a-z_/]+)"`).ReplaceAllStringFunc(rest, func(method string) string {
			id := p.ids[name+" "+strings.Trim(method, `"$`)]
			require.NotEmpty(t, id, "%s was not asked %s", name, method)
			return id
		})
		if name == "agent" {
			p.world.agent.Load().say(t, rest)
		} else {
			p.parties[name].say(t, rest)
		}
	case second == "connects":
		p.parties[first] = p.world.connect(first)
		p.names = append(p.names, first)
	case second == "is an editor":
		p.parties[first] = p.world.editor()
		p.names = append(p.names, first)
	case second == "goes":
		require.NoError(t, p.parties[first].out.Close())
	case first == "sleep":
		d, err := time.ParseDuration(second)
		require.NoError(t, err)
		time.Sleep(d)
	case first == "restart":
		p.world.host.Close()
		p.world.begin(2000)
	default:
		require.Fail(t, "this is no step", line)
	}
}

// volatile matches what differs in each run.
var volatile = regexp.MustCompile(`(messageId":)"[A-Z2-7]{26}"`)

// show writes down what all participants received.
func (p *player) show() {
	for _, line := range p.world.settle() {
		p.receive("agent", line)
	}
	for _, name := range p.names {
		for _, line := range p.parties[name].drain() {
			p.receive(name, line)
		}
		p.parties[name].mu.Lock()
		if p.parties[name].ended {
			fmt.Fprintf(&p.out, "\t%s is disconnected\n", name)
			p.parties[name].ended = false
		}
		p.parties[name].mu.Unlock()
	}
}

func (p *player) receive(name, line string) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	require.NoError(p.t, json.Unmarshal([]byte(line), &m), line)
	if m.ID != nil && m.Method != "" {
		p.ids[name+" "+m.Method] = string(m.ID)
	}
	line = strings.NewReplacer(`"`+session+`"`, `"SESSION"`, `"`+chat+`"`, `"CHAT"`, filepath.ToSlash(p.world.home), "HOME", `"jsonrpc":"2.0",`, "").Replace(compact(p.t, line))
	fmt.Fprintf(&p.out, "\t%s gets %s\n", name, volatile.ReplaceAllString(line, `$1"M"`))
}
