package bridge_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/workspace"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/golden"
)

// Each file in testdata/partial holds a client's answer to the permission request of an
// edit, which Turnwire's own tools make:
//
//   - before, prompt, answer: the file a.txt, the prompt and the answer;
//   - v1: what the client receives, from the prompt on;
//   - after: the file at the end;
//   - audit: who decided;
//   - load: what a client receives that opens the session again.
//
// The session's folder is shown as /project.
func TestPartialAnswers(t *testing.T) { answerPartially(t, "partial", workspace.New()) }

func answerPartially(t *testing.T, folder string, a agent.Agent) {
	t.Helper()
	golden.Each(t, "testdata/"+folder+"/*.txtar", func(t *testing.T, path string) {
		synctest.Test(t, func(t *testing.T) {
			archive := golden.Read(t, path)
			for _, name := range []string{"before", "prompt", "answer"} {
				text, ok := archive.Section(name)
				require.True(t, ok, name)
				archive.Add(name, text)
			}
			d := newProject(t)
			d.agent = a
			before, _ := archive.Section("before")
			require.NoError(t, os.WriteFile(d.file, []byte(before), 0o600))
			prompt, _ := archive.Section("prompt")
			answer, _ := archive.Section("answer")
			archive.Add("v1", d.perform(strings.TrimSpace(prompt), strings.TrimSpace(answer)))
			after, err := os.ReadFile(d.file)
			require.NoError(t, err)
			archive.Add("after", string(after))
			require.Len(t, d.decisions, 1)
			archive.Add("audit", d.decisions[0].Sentence()+"\n")
			archive.Add("load", d.load())
			archive.Check(t)
		})
	})
}

func TestAPartialAnswerAfterACancelWritesNothing(t *testing.T) {
	for _, message := range []string{
		cancelS1,
		call(`"close"`, "session/close", `{"sessionId":"S1"}`),
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newProject(t)
			d.refusePart(`/write a.txt one\n2\nthree\n`, message)
		})
	}
}

// A project is a folder with the file a.txt, and the sessions of the workspace agent in it.
type project struct {
	t         *testing.T
	agent     agent.Agent
	dir, file string
	store     journal.Store
	decisions []consent.Decision
	ids       []string
}

func newProject(t *testing.T) *project {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return &project{t: t, agent: workspace.New(), dir: dir, file: filepath.Join(dir, "a.txt"), store: journal.NewFolder(t.TempDir())}
}

func (p *project) connect() *editor {
	p.t.Helper()
	e := connect(p.t, p.agent, keeping(p.store), auditing(p))
	e.ids = p.ids
	e.initialize("{}")
	return e
}

// auditing keeps the decisions.
func auditing(p *project) func(*setup) {
	return func(s *setup) {
		s.Audit = func(d consent.Decision) { p.decisions = append(p.decisions, d) }
	}
}

// perform plays a turn with one permission request, and returns what the client received.
func (p *project) perform(prompt, answer string) string {
	p.t.Helper()
	e := p.connect()
	e.request(`"new"`, "session/new", `{"cwd":"`+p.dir+`","mcpServers":[]}`)
	e.until(`"new"`)
	if p.agent.Info().Name == workspace.New().Info().Name {
		e.expectLike("available_commands_update")
	}
	e.write(promptS1(`"p"`, prompt))
	var lines []string
	for len(lines) == 0 || !strings.Contains(lines[len(lines)-1], "session/request_permission") {
		lines = append(lines, e.read())
	}
	e.answer(1, strings.ReplaceAll(answer, "/project", p.dir))
	lines = append(append(lines, e.until(`"p"`)...), e.close()...)
	p.ids = e.ids
	return p.shown(lines)
}

// load opens the session again, and returns what the client received.
func (p *project) load() string {
	p.t.Helper()
	e := p.connect()
	e.request(`"load"`, "session/load", `{"sessionId":"S1","cwd":"`+p.dir+`","mcpServers":[]}`)
	lines := e.until(`"load"`)
	e.close()
	return p.shown(lines)
}

func (p *project) shown(lines []string) string {
	return strings.ReplaceAll(strings.Join(lines, "\n")+"\n", p.dir, "/project")
}

// refusePart accepts a part of the change that a prompt asks for, after a message that refuses all
// of it.
func (p *project) refusePart(prompt, message string) {
	require.NoError(p.t, os.WriteFile(p.file, []byte("1\n2\n3\n"), 0o600))
	answer := `{"outcome":{"outcome":"selected","optionId":"allow_once"},"_meta":{"turnwire.dev/accepted":[{"path":"` + p.file + `","newText":"one\n2\n3\n"}]}}`
	e := p.connect()
	e.request(`"new"`, "session/new", `{"cwd":"`+p.dir+`","mcpServers":[]}`)
	e.until(`"new"`)
	e.write(promptS1(`"p"`, prompt))
	for !strings.Contains(e.read(), "session/request_permission") {
		continue
	}
	e.write(message + `{"jsonrpc":"2.0","id":1,"result":` + answer + "}\n")
	e.until(`"p"`)
	e.close()
	text, err := os.ReadFile(p.file)
	require.NoError(p.t, err)
	require.Equal(p.t, "1\n2\n3\n", string(text))
	require.Len(p.t, p.decisions, 1)
	require.NotContains(p.t, p.decisions[0].Sentence(), "allowed")
}
