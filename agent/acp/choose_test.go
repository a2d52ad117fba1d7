package acp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// learn collects, in short, what can be chosen as it is told, up to what is
// wanted.
func (c *conversation) learn(wanted string) []string {
	c.T.Helper()
	var told []string
	c.Until(func(e agent.Event) bool {
		var line string
		switch e := e.(type) {
		case *agent.ModeChanged:
			line = "mode " + e.ModeID + " of " + ids(e.Available)
		case *agent.ModelChanged:
			line = "model " + e.ModelID + " of " + ids(e.Available)
		case *agent.ConfigOptions:
			values := make([]string, 0, len(e.Options))
			for _, o := range e.Options {
				values = append(values, o.ID+"="+o.Value.String())
			}
			line = strings.Join(values, " ")
		case *agent.OptionRefused:
			line = "refused " + e.OptionID + ": " + e.Error
		default:
			return false
		}
		require.Empty(c.T, e.Common().TurnID, "it is no part of a turn")
		told = append(told, line)
		return strings.HasPrefix(told[len(told)-1], wanted)
	})
	return told
}

func ids(choices []agent.Choice) string {
	var out []string
	for _, c := range choices {
		out = append(out, c.ID)
	}
	return strings.Join(out, ",")
}

func (c *conversation) choose(option string, v agent.Value) {
	c.T.Helper()
	require.NoError(c.T, c.Configure(agent.SetOption{OptionID: option, Value: v}))
}

func TestWhatCanBeChosenIsKnownBeforeTheFirstPrompt(t *testing.T) {
	for kind, want := range map[string][]string{
		"conformant": {"mode ask of ask,do,no"},
		"models":     {"mode ask of ask,do,no", "model leaf-1 of leaf-1,leaf-2"},
		"options":    {"careful=ask leaf=leaf-1 loud=off"},
	} {
		t.Run(kind, func(t *testing.T) {
			c := open(t, kind)
			require.Equal(t, want, c.learn(want[len(want)-1]))
		})
	}
}

func TestAChoiceGoesDownInTheWayInWhichItWasOffered(t *testing.T) {
	for name, choice := range map[string]struct {
		kind, option string
		value        agent.Value
		want         string // what is told
		got          string // what the agent was asked
	}{
		"a mode": {"conformant", "mode", agent.Chosen("do"), "mode do of ask,do,no",
			`session/set_mode {"sessionId":"tea-1","modeId":"do"}`},
		"a model": {"models", "model", agent.Chosen("leaf-2"), "model leaf-2 of leaf-1,leaf-2",
			`session/set_model {"sessionId":"tea-1","modelId":"leaf-2"}`},
		"an option": {"options", "careful", agent.Chosen("do"), "careful=do leaf=leaf-1 loud=off",
			`session/set_config_option {"sessionId":"tea-1","configId":"careful","value":"do"}`},
		"a boolean": {"options", "loud", agent.Switched(true), "careful=ask leaf=leaf-1 loud=on",
			`session/set_config_option {"sessionId":"tea-1","configId":"loud","type":"boolean","value":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, choice.kind)
			c.learn("")
			c.choose(choice.option, choice.value)
			c.learn(choice.want)
			c.prompt("set")
			said := c.UntilEnd()
			require.Equal(t, choice.got, said[len(said)-2])
		})
	}
}

func TestAnAgentRefusesAChoice(t *testing.T) {
	for kind, option := range map[string]string{"conformant": "mode", "options": "careful"} {
		c := open(t, kind)
		c.learn("")
		c.choose(option, agent.Chosen("no"))
		require.Equal(t, []string{"refused " + option + ": teapot refused it: not with this tea"}, c.learn("refused"))
	}
	c := open(t, "stubborn")
	c.learn("")
	c.choose("careful", agent.Chosen("do"))
	require.Equal(t, []string{`refused careful: teapot has left it at "ask"`}, c.learn("refused"))
	c.choose("never-offered", agent.Chosen("do"))
	require.Equal(t, []string{`refused never-offered: teapot has no option "never-offered" any more`}, c.learn("refused"))
}

func TestAChangeThatIsToldTwiceIsOne(t *testing.T) {
	c := open(t, "options")
	c.learn("")
	c.prompt("tell-twice")
	var changes []string
	c.Until(func(e agent.Event) bool {
		switch e.(type) {
		case *agent.ModeChanged, *agent.ConfigOptions:
			raw, err := json.Marshal(e)
			require.NoError(t, err)
			changes = append(changes, string(raw))
		case *agent.Done:
			return true
		}
		return false
	})
	require.Equal(t, []string{`{"modeId":"do","turnId":"t1"}`}, changes)
}

func TestAChoiceInTheMiddleOfATurn(t *testing.T) {
	c := open(t, "conformant")
	c.learn("")
	c.prompt("hang")
	c.says("hanging")
	c.choose("mode", agent.Chosen("do"))
	c.Until(func(e agent.Event) bool {
		m, ok := e.(*agent.ModeChanged)
		return ok && m.ModeID == "do" && m.TurnID == "t1"
	})
	c.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, []string{"done end_turn"}, c.UntilEnd())
}

func TestAPromptBehindAChoiceSeesIt(t *testing.T) {
	for range 20 {
		c := open(t, "conformant")
		c.learn("")
		c.choose("mode", agent.Chosen("do"))
		c.prompt("set")
		require.Equal(t, []string{`session/set_mode {"sessionId":"tea-1","modeId":"do"}`, "done end_turn"}, c.UntilEnd())
	}
}

func TestNothingCanBeChosenOfAnAgentThatIsGone(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("exit 3")
	c.UntilEnd()
	c.choose("mode", agent.Chosen("do"))
	require.Contains(t, c.learn("refused")[0], "exited")

	c = open(t, "dies")
	c.choose("mode", agent.Chosen("do"))
	require.Contains(t, c.learn("refused")[0], "refused mode: ")
}
