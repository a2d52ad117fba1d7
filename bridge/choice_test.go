package bridge_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// The agents' options in these tests.
const (
	listed  = `{"type":"config_options","options":[` + modeOption + `,` + flagOption + `]}`
	refused = `{"type":"option_refused","optionId":"mode","error":"not now"}`

	modeOption = `{"id":"mode","name":"Mode","category":"mode","kind":"select","value":"ask","choices":[{"id":"ask","name":"Ask"},{"id":"do","name":"Do"},{"id":"plan","name":"Plan"}]}`
	flagOption = `{"id":"loud","name":"Loud","kind":"boolean","value":false}`
)

// The same options as sent to editors.
const modeValues = `[{"value":"ask","name":"Ask"},{"value":"do","name":"Do"},{"value":"plan","name":"Plan"}]`

func shownMode(mode string) string {
	return fmt.Sprintf(`{"id":"mode","name":"Mode","category":"mode","type":"select","currentValue":%q,"options":%s}`, mode, modeValues)
}

func shownFlag(value string) string {
	return fmt.Sprintf(`{"id":"loud","name":"Loud","type":"select","currentValue":%q,"options":[{"value":"on","name":"On"},{"value":"off","name":"Off"}]}`, value)
}

func updateS1(update string) string {
	return `{"method":"session/update","params":{"sessionId":"S1","update":` + update + `}}`
}

// requireMode reads the updates that report this mode.
func (e *editor) requireMode(mode string) {
	e.t.Helper()
	e.expect(updateS1(fmt.Sprintf(`{"sessionUpdate":"current_mode_update","currentModeId":%q}`, mode)),
		updateS1(`{"sessionUpdate":"config_option_update","configOptions":[`+shownMode(mode)+`,`+shownFlag("off")+`]}`))
}

// setS1 returns a request to set an option of S1.
func setS1(id, option, value string) string {
	return call(id, "session/set_config_option", fmt.Sprintf(`{"sessionId":"S1","configId":%q,"value":%s}`, option, value))
}

// choosing returns an editor whose agent has offered the listed options.
func choosing(t *testing.T) (*editor, *puppetSession) {
	t.Helper()
	e, s := open(t, newPuppet(), `{}`)
	s.say(listed)
	e.requireMode("ask")
	return e, s
}

func (e *editor) requireError(id string, parts ...string) {
	e.t.Helper()
	e.expectLike(append(parts, `"id":`+id, `"error"`)...)
}

func TestANewSessionListsKnownOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		p.offers = []agent.Option{{
			ID: "m", Category: "mode", Value: agent.Chosen("b"),
			Choices: []agent.Choice{{ID: "a", Name: "A", Description: "first"}, {ID: "b"}},
		}}
		e := connect(t, p)
		e.initialize(`{}`)
		e.request("1", "session/new", `{"cwd":"/project"}`)
		e.expect(`{"id":1,"result":{"sessionId":"S1",
		"modes":{"currentModeId":"b","availableModes":[{"id":"a","name":"A","description":"first"},{"id":"b","name":"b"}]},
		"configOptions":[{"id":"m","name":"m","category":"mode","type":"select","currentValue":"b",
			"options":[{"value":"a","name":"A","description":"first"},{"value":"b","name":"b"}]}]}}`)
		s := p.session(t)
		e.request("2", "session/set_mode", `{"sessionId":"S1","modeId":"a"}`)
		s.expect(`{"type":"set_option","optionId":"m","value":"a"}`)
	})
}

func TestAChoiceIsAnsweredWhenTheAgentHasSetIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for confirmation, flag := range map[string]string{
			`{"type":"mode_changed","modeId":"do"}`:                     "off",
			strings.ReplaceAll(listed, `"value":"ask"`, `"value":"do"`): "off",
		} {
			e, s := choosing(t)
			e.write(setS1("1", "mode", `"do"`))
			s.expect(`{"type":"set_option","optionId":"mode","value":"do"}`)
			e.sync() // there is no response yet
			s.say(confirmation)
			e.requireMode("do")
			e.expect(`{"id":1,"result":{"configOptions":[` + shownMode("do") + `,` + shownFlag(flag) + `]}}`)
		}
	})
}

func TestAModeIsChosenByEditorsThatKnowModes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.request("1", "session/set_mode", `{"sessionId":"S1","modeId":"do"}`)
		s.expect(`{"type":"set_option","optionId":"mode","value":"do"}`)
		e.sync()
		s.say(`{"type":"mode_changed","modeId":"do"}`)
		e.requireMode("do")
		e.expect(`{"id":1,"result":{}}`)
	})
}

func TestOnlyWhatWasOfferedReachesTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		for _, line := range []string{
			setS1("1", "mode", `"sudo"`), setS1("1", "mode", `""`), setS1("1", "mode", `true`), setS1("1", "Mode", `"do"`), setS1("1", "", `"do"`),
			setS1("1", "loud", `"yes"`), setS1("1", "loud", `null`), setS1("1", "loud", `7`), setS1("1", "mode", `{"x":[]}`),
			call("1", "session/set_mode", `{"sessionId":"S1","modeId":"sudo"}`), call("1", "session/set_mode", `{"sessionId":"S1"}`),
			call("1", "session/set_config_option", `{"sessionId":"S1","configId":"mode"}`),
		} {
			e.write(line)
			e.requireError("1", "-32602")
		}
		e.write(call("1", "session/set_mode", `{"sessionId":"S1"}`))
		e.requireError("1", "-32602", "modeId is missing")
		e.write(promptS1("2", "go"))
		s.expect(`{"type":"prompt"}`)
	})
}

func TestChoicesNeverReachAnAgentWithoutOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := open(t, newPuppet(), `{}`)
		for _, line := range []string{setS1("1", "mode", `"do"`), setS1("1", "model", `"x"`), call("1", "session/set_mode", `{"sessionId":"S1","modeId":"do"}`)} {
			e.write(line)
			e.requireError("1", "-32602")
		}
		s.say(`{"type":"mode_changed","modeId":"ask"}`) // it offers no options
		e.expectLike("current_mode_update")
		e.expectLike("config_option_update")
		e.write(setS1("1", "mode", `"do"`))
		e.requireError("1", "-32602")
		e.write(setS1("1", "mode", `"ask"`))
		e.expectLike(`"id":1`, `"result"`)
		e.write(promptS1("2", "go"))
		s.expect(`{"type":"prompt"}`)
	})
}

func TestChoosingTheCurrentValueIsAnsweredAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(setS1("1", "mode", `"ask"`))
		e.expect(`{"id":1,"result":{"configOptions":[` + shownMode("ask") + `,` + shownFlag("off") + `]}}`)
		e.request("2", "session/set_mode", `{"sessionId":"S1","modeId":"ask"}`)
		e.expect(`{"id":2,"result":{}}`)
		e.write(promptS1("3", "go"))
		s.expect(`{"type":"prompt"}`)
	})
}

func TestARefusedChoiceIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(setS1("1", "mode", `"do"`))
		s.expect(`{"type":"set_option"}`)
		s.say(refused)
		e.requireError("1", "-32603", "mode was not set: not now")
		e.write(setS1("2", "mode", `"ask"`))
		e.expectLike(`"id":2`, `"currentValue":"ask"`) // the mode did not change
	})
}

func TestAnUnexpectedRefusalIsANotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := open(t, newPuppet(), `{"session":{"notices":{}}}`)
		s.say(refused)
		e.expectLike(`"sessionUpdate":"notice"`, `mode was not set`, `not now`)
	})
}

func TestAChoiceThatCannotBePassedOnIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		s.mu.Lock()
		s.fails = errors.New("nobody is at home")
		s.mu.Unlock()
		e.write(setS1("1", "mode", `"do"`))
		e.requireError("1", "-32603", "nobody is at home")
	})
}

func TestChoicesTimeOutIfTheAgentNeverConfirms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(setS1("1", "mode", `"do"`))
		s.expect(`{"type":"set_option"}`)
		e.requireError("1", "-32603", "did not confirm it within 10s")
		e.write(setS1("2", "mode", `"plan"`))
		s.expect(`{"type":"set_option","value":"plan"}`)
		s.say(`{"type":"mode_changed","modeId":"do"}`) // late: the mode is set, but the request was already answered
		e.requireMode("do")
		e.sync()
		s.say(`{"type":"mode_changed","modeId":"plan"}`)
		e.requireMode("plan")
		e.expectLike(`"id":2`, `"currentValue":"plan"`)
		require.Empty(t, e.close())
	})
}

func TestSupersededChoicesReturnTheCurrentValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(setS1("1", "mode", `"do"`) + setS1("2", "mode", `"plan"`) + setS1("3", "loud", `"on"`))
		for _, value := range []string{`"do"`, `"plan"`, `true`} {
			s.expect(`{"type":"set_option","value":` + value + `}`)
		}
		s.say(`{"type":"mode_changed","modeId":"plan"}`)
		e.requireMode("plan")
		e.expectLike(`"id":1`, `"currentValue":"plan"`)
		e.expectLike(`"id":2`, `"currentValue":"plan"`)
		e.sync() // the third waits
	})
}

func TestTheSameChoiceTwiceIsPassedOnOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(setS1("1", "mode", `"do"`) + call("2", "session/set_mode", `{"sessionId":"S1","modeId":"do"}`))
		s.expect(`{"type":"set_option","value":"do"}`)
		e.sync()
		s.say(refused)
		e.requireError("1")
		e.requireError("2")
		e.write(promptS1("3", "go"))
		s.expect(`{"type":"prompt"}`)
	})
}

func TestAWithdrawnChoiceIsAnsweredAndItsConfirmationHarmless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(setS1("1", "mode", `"do"`) + note("$/cancel_request", `{"requestId":1}`))
		e.requireError("1", "-32800")
		s.expect(`{"type":"set_option"}`)
		s.say(`{"type":"mode_changed","modeId":"do"}`)
		e.requireMode("do")
	})
}

func TestAValueThatIsNoLongerOfferedCannotBeSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, list := range []string{
			`{"type":"config_options","options":[]}`,
			`{"type":"config_options","options":[` + strings.ReplaceAll(modeOption, `{"id":"do","name":"Do"},`, "") + `]}`,
		} {
			e, s := choosing(t)
			e.write(setS1("1", "mode", `"do"`))
			s.expect(`{"type":"set_option"}`)
			s.say(list)
			e.expectLike("config_option_update")
			e.requireError("1", "no longer offers")
		}
	})
}

func TestBooleansAreForEditorsThatKnowThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := open(t, newPuppet(), `{"session":{"configOptions":{"boolean":{}}}}`)
		s.say(`{"type":"config_options","options":[` + flagOption + `]}`)
		flag := func(value string) string {
			return `[{"id":"loud","name":"Loud","type":"boolean","currentValue":` + value + `}]`
		}
		e.expect(updateS1(`{"sessionUpdate":"config_option_update","configOptions":` + flag("false") + `}`))
		e.request("1", "session/set_config_option", `{"sessionId":"S1","configId":"loud","type":"boolean","value":true}`)
		s.expect(`{"type":"set_option","optionId":"loud","value":true}`)
		s.say(`{"type":"config_options","options":[` + strings.ReplaceAll(flagOption, "false", "true") + `]}`)
		e.expect(updateS1(`{"sessionUpdate":"config_option_update","configOptions":`+flag("true")+`}`),
			`{"id":1,"result":{"configOptions":`+flag("true")+`}}`)
	})
}

func TestOtherEditorsChooseBetweenOnAndOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		for value, want := range map[string]string{`"on"`: "true", "true": "true"} {
			e.write(setS1("1", "loud", value))
			s.expect(`{"type":"set_option","optionId":"loud","value":` + want + `}`)
			s.say(`{"type":"option_refused","optionId":"loud","error":"hush"}`)
			e.requireError("1", "hush")
		}
		e.write(setS1("1", "loud", `"off"`))
		e.expectLike(`"id":1`, shownFlag("off"))
	})
}
