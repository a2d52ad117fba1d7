package bridge_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

const introduction = `{"type":"agent_info","name":"Tea","prompt":{"image":true},"modes":{"modeId":"ask","available":[{"id":"ask","name":"Ask"},{"id":"go","name":"Go"}]},` +
	`"models":{"modelId":"m"},"options":[{"id":"loud","name":"Loud","value":false}],"commands":[{"name":"brew","description":"Brews"}]}`

// greeted opens a session of an agent that sends lines before the session/new response.
func greeted(t *testing.T, capabilities string, lines ...string) (*editor, *puppetSession, string) {
	t.Helper()
	p := newPuppet()
	p.greets = true
	e := connect(t, p)
	e.initialize(capabilities)
	e.request(`"new1"`, "session/new", `{"cwd":"/project","mcpServers":[]}`)
	s := p.session(t)
	if len(lines) > 0 {
		s.say(lines...)
	}
	close(s.greeted)
	return e, s, e.read()
}

func TestInitialOptionsAreInTheNewSessionResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s, answer := greeted(t, `{"session":{"configOptions":{"boolean":{}}}}`,
			introduction, `{"type":"session_title","title":"Early"}`, `{"type":"notice","message":"Mind the pot"}`)
		require.Contains(t, answer, `"modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"go","name":"Go"}]}`)
		require.Contains(t, answer, `"configOptions":[{"id":"mode"`)
		require.Contains(t, answer, `{"id":"loud","name":"Loud","type":"boolean","currentValue":false}`)
		e.expectLike(`"available_commands_update"`, `"brew"`)
		e.expectLike(`"session_info_update"`, "Early")
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		e.expectLike("Mind the pot")
		s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

func TestLaterOptionsAreUpdates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s, answer := greeted(t, `{}`)
		require.NotContains(t, answer, "modes")
		s.say(introduction)
		e.expectLike(`"config_option_update"`, `"loud"`)
		e.expectLike(`"current_mode_update"`, `"ask"`)
		e.expectLike(`"config_option_update"`)
		e.expectLike(`"config_option_update"`)
		e.expectLike(`"available_commands_update"`, `"brew"`)
	})
}

const imagePrompt = `{"sessionId":"S1","prompt":[{"type":"text","text":"what is this?"},{"type":"image","data":"AA","mimeType":"image/png"}]}`

// Only the agent's latest statement of its capabilities counts.
func TestPromptsAreCheckedAgainstTheLatestCapabilities(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s, _ := greeted(t, `{}`)
		e.request(`"p"`, "session/prompt", imagePrompt)
		e.expectLike(`"id":"p"`, "-32602", "prompt[1] has the type image", `{\"type\":\"agent_info\",\"prompt\":{\"image\":true}}`)
		s.say(`{"type":"agent_info","prompt":{"image":true}}`, `{"type":"session_title","title":"now"}`)
		e.expectLike("now")
		e.request(`"q"`, "session/prompt", imagePrompt)
		s.expect(`{"type":"prompt","text":"what is this?"}`)
		s.say(`{"type":"agent_info"}`, done)
		e.stopped(`"q"`, "end_turn")
		e.request(`"r"`, "session/prompt", imagePrompt)
		e.expectLike(`"id":"r"`, "-32602")
	})
}

func TestTheEditorIsDescribedToTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p)
		e.request(`"i"`, "initialize", `{"protocolVersion":1,"clientInfo":{"name":"zed","version":"1.2"},"clientCapabilities":{"fs":{"readTextFile":true},"terminal":true,"elicitation":{"form":{}}}}`)
		e.read()
		require.Equal(t, agent.Editor{Name: "zed", Version: "1.2", ReadFile: true, Terminal: true, Forms: true}, e.newSession(p).options.About)
	})
}

func TestOpeningASessionCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		p.greets = true
		e := connect(t, p)
		e.initialize(`{}`)
		e.request(`"new1"`, "session/new", `{"cwd":"/project","mcpServers":[]}`)
		s := p.session(t)
		e.notify("$/cancel_request", `{"requestId":"new1"}`)
		e.expectLike(`"id":"new1"`, "-32800")
		close(s.greeted)
	})
}

func TestUnusedMCPServersCauseANotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const servers = `[{"name":"files","command":"x","args":[],"env":[]},{"type":"http","name":"web","url":"http://x","headers":[]}]`
		for takes, want := range map[string]string{
			`{"type":"agent_info"}`:                        "MCP servers: files, web",
			`{"type":"agent_info","mcp":{}}`:               "MCP servers: web (by http)",
			`{"type":"agent_info","mcp":{"http":true}}`:    "",
			`{"type":"session_title","title":"no answer"}`: "MCP servers: files, web",
		} {
			p := newPuppet()
			p.greets = true
			e := connect(t, p)
			e.initialize(`{}`)
			e.request(`"new1"`, "session/new", `{"cwd":"/project","mcpServers":`+servers+`}`)
			s := p.session(t)
			s.say(takes)
			close(s.greeted)
			e.expectLike(`"new1"`)
			for _, id := range []string{`"p"`, `"q"`} {
				e.write(promptS1(id, "go"))
				s.expect(`{"type":"prompt"}`)
				s.say(done)
				response := e.until(id)
				if id == `"p"` && want != "" {
					require.Contains(t, response[len(response)-2], want)
				} else {
					require.NotContains(t, response[0], "MCP")
				}
			}
		}
	})
}
