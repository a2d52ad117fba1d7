package bridge_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

func TestInstructionsReachAnAgentThatAcceptsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		p := newPuppet()
		p.info = agent.Info{System: &agent.SystemPromptTakes{Replace: true}, Resume: true}
		e := connect(t, p, keeping(store))
		e.request("0", "initialize", plainInitialize)
		e.expectLike(`"systemPrompt":{"mode":{"override":{}}}`)
		e.request("1", "session/new", `{"cwd":"/project","mcpServers":[],"systemPrompt":{"mode":"append","content":[{"type":"text","text":"Be brief."},{"type":"text","text":"Be kind."}]}}`)
		e.until("1")
		s := p.session(t)
		require.Equal(t, &agent.SystemPrompt{Mode: "append", Text: "Be brief.\n\nBe kind."}, s.options.System)
		e.write(promptS1("2", "tea"))
		s.command()
		s.say(`{"type":"done","text":"Tea."}`)
		e.until("2")
		e.request("3", "session/load", `{"sessionId":"S1","cwd":"/project","mcpServers":[],"systemPrompt":{"mode":"override","content":[{"type":"text","text":"Be tea."}]}}`)
		e.until("3")
		require.Equal(t, &agent.SystemPrompt{Mode: "override", Text: "Be tea."}, p.session(t).options.System)
	})
}

func TestInstructionsThatAnAgentDoesNotTakeAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		takes  *agent.SystemPromptTakes
		prompt string
		want   string
	}{
		"none at all":  {nil, `{"mode":"append","content":[{"type":"text","text":"a"}]}`, "does not accept a systemPrompt"},
		"not its own":  {&agent.SystemPromptTakes{}, `{"mode":"override","content":[{"type":"text","text":"a"}]}`, `does not accept the systemPrompt mode \"override\"`},
		"another mode": {&agent.SystemPromptTakes{Replace: true}, `{"mode":"_mine","content":[{"type":"text","text":"a"}]}`, "_mine"},
		"an image":     {&agent.SystemPromptTakes{}, `{"mode":"append","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}`, "systemPrompt.content[0] has the type image"},
		"nothing":      {&agent.SystemPromptTakes{}, `{"mode":"append","content":[]}`, "systemPrompt.content is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPuppet()
				p.info = agent.Info{System: c.takes}
				e := connect(t, p)
				e.initialize(`{}`)
				e.request("1", "session/new", `{"cwd":"/project","mcpServers":[],"systemPrompt":`+c.prompt+`}`)
				e.expectLike(`"id":1`, `"code":-32602`, c.want)
			})
		})
	}
}

const instructed = `{"cwd":"/project","mcpServers":[],"systemPrompt":{"mode":"append","content":[{"type":"text","text":"a"}]}}`

// The agent accepted instructions the last time it ran, but no longer does.
func TestNoSessionIfInstructionsAreNoLongerAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		p.greets, p.info = true, agent.Info{System: &agent.SystemPromptTakes{}}
		e := connect(t, p)
		e.initialize(`{}`)
		e.request("1", "session/new", instructed)
		s := p.session(t)
		s.say(`{"type":"agent_info","name":"Tea"}`)
		close(s.greeted)
		e.expectLike(`"id":1`, `"code":-32602`, "does not accept a systemPrompt")
		<-s.closing
	})
}

func TestIgnoredInstructionsAreReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		p.greets, p.info = true, agent.Info{System: &agent.SystemPromptTakes{}}
		e := connect(t, p)
		e.initialize(`{}`)
		e.request("1", "session/new", instructed)
		s := p.session(t)
		close(s.greeted)
		e.until("1")
		s.say(`{"type":"agent_info","name":"Tea"}`, `{"type":"session_title","title":"Late"}`)
		e.expectLike("Late")
		for i, told := range []bool{true, false} {
			id := []string{"2", "3"}[i]
			e.write(promptS1(id, "tea"))
			s.command()
			s.say(`{"type":"done","text":"Tea."}`)
			require.Equal(t, told, strings.Contains(strings.Join(e.until(id), ""), "does not use the editor's instructions"))
		}
	})
}
