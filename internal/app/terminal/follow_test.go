package terminal

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// Another client's answer is shown as such, and a call that it allowed runs.
func TestTheAnswerOfAnotherClientIsShown(t *testing.T) {
	resolved := func(option string) string {
		return `update {"sessionUpdate":"permission_resolved","toolCallId":"c1","outcome":"selected","optionId":"` + option + `","resolvedBy":{"clientId":"other","name":"Zed"}}`
	}
	const done = `update {"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed"}`
	const failed = `update {"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed"}`
	for name, c := range map[string]struct {
		resolved, end string
		want          [2]string
	}{
		"allowed":     {resolved("yes") + "\n", done, [2]string{"→ yes, once (answered by Zed)", "✓ Run ls"}},
		"in part":     {strings.Replace(resolved("yes"), `"resolvedBy"`, `"_meta":{"turnwire.dev/partial":true},"resolvedBy"`, 1) + "\n", done, [2]string{"→ yes, once (answered by Zed, in part)", "✓ Run ls"}},
		"refused":     {resolved("no") + "\n", failed, [2]string{"→ no (answered by Zed)", "– Run ls"}},
		"not said":    {"", done, [2]string{"→ withdrawn", "✓ Run ls"}},
		"no such one": {resolved("?") + "\n", failed, [2]string{"→ not allowed (answered by Zed)", "– Run ls"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := startSession(t, following+"\nask "+asking+"\n"+c.resolved+"withdraw\nanswer\n"+c.end+"\nhang", Options{Interactive: true, Follow: "s1"})
				s.stdout.await(t, c.want[0])
				s.stdout.await(t, c.want[1])
				require.Equal(t, `{"outcome":{"outcome":"cancelled"}}`+"\n", s.agent.answers(), "nobody here has allowed it")
			})
		})
	}
}

func TestARestartOfTheServerIsShownOnce(t *testing.T) {
	const mode = `update {"sessionUpdate":"current_mode_update","currentModeId":"%s"}` + "\n"
	for _, history := range []string{"", `,"history":[{"params":{"update":{"sessionUpdate":"current_mode_update","currentModeId":"ask"}}}]`} {
		t.Run(history, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attached := `attached {"clientId":"me","modes":{"currentModeId":"ask","availableModes":[]}` + history + `}`
				s := startSession(t, attached+"\nask "+asking+"\n"+breaks+"withdraw\nanswer\n"+fmt.Sprintf(mode, "ask")+fmt.Sprintf(mode, "do")+running+"\nhang", Options{Interactive: true, Follow: "s1"})
				s.stdout.await(t, "Working")
				shown := s.stdout.String()
				require.Contains(t, shown, "the turn failed: The server was restarted.")
				require.NotContains(t, shown, "withdrawn")
				require.NotContains(t, shown, "mode: ask")
				require.Equal(t, 1, strings.Count(shown, "mode: do"))
			})
		})
	}
}

func TestEscapeDetachesAndAnswersNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startSession(t, following+"\nask "+asking+"\nhang", Options{Interactive: true, Follow: "s1"})
		s.stdout.await(t, "Esc detaches")
		s.stdout.await(t, "[y]es")
		s.press("\x1b")
		_, err := s.wait()
		require.NoError(t, err)
		require.Empty(t, s.agent.answers())
	})
}

func TestAKeyDoesNotAnswerAfterAnotherClient(t *testing.T) {
	c := confirmOf(allOptions()...)
	c.answeredBy("Zed", "3")
	require.Equal(t, ignored, c.press(key{char: 'y'}))
	require.Equal(t, cancelTurn, c.press(key{code: keyInterrupt}))
	require.Equal(t, unselected(), c.answer())
}
