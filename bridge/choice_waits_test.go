package bridge_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestAChoiceInTheMiddleOfATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		e.write(setS1("1", "mode", `"do"`))
		s.expect(`{"type":"set_option"}`)
		s.say(`{"type":"text_delta","text":"before"}`, `{"type":"mode_changed","modeId":"do","turnId":"turn-1"}`, `{"type":"text_delta","text":"behind"}`, done)
		e.expectLike("before")
		e.requireMode("do")
		e.expectLike(`"id":1`, `"currentValue":"do"`)
		e.expectLike("behind")
		e.expectLike(`"id":"p"`, "end_turn")
	})
}

func TestAChoiceReachesTheAgentBeforeTheNextPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 200 {
			e, s := choosing(t)
			e.write(setS1("1", "mode", `"do"`) + promptS1("2", "go"))
			s.expect(`{"type":"set_option"}`)
			s.expect(`{"type":"prompt"}`)
			s.say(`{"type":"mode_changed","modeId":"do"}`, done)
			e.requireMode("do")
			e.expectLike(`"id":1`)
			e.expectLike("without an answer")
			e.expectLike(`"id":2`)
			e.close()
		}
	})
}

func TestAnEditorThatDoesNotReadCanChoose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		flooded := make(chan struct{})
		go func() {
			defer close(flooded)
			piece := `{"type":"text_delta","text":"` + strings.Repeat("x", 30000) + `"}`
			for s.say(piece) {
				continue
			}
		}()
		e.write(setS1("1", "mode", `"do"`))
		s.expect(`{"type":"set_option"}`)
		require.NoError(t, e.out.Close())
		require.NoError(t, <-e.served)
		<-flooded
	})
}

func TestClosingAnswersPendingChoices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(setS1("1", "mode", `"do"`))
		s.expect(`{"type":"set_option"}`)
		e.request("2", "session/close", `{"sessionId":"S1"}`)
		e.requireError("1", "-32002")
		e.expect(`{"id":2,"result":{}}`)

		e, s = choosing(t)
		e.write(setS1("1", "mode", `"do"`))
		s.expect(`{"type":"set_option"}`)
		rest := e.close()
		require.Len(t, rest, 1)
		require.Contains(t, rest[0], "-32800")
	})
}

func TestTheNumberOfWaitingChoicesIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := choosing(t)
		for i := range 32 {
			e.write(setS1(strconv.Itoa(i), "mode", []string{`"do"`, `"plan"`}[i%2]))
		}
		e.write(setS1("99", "mode", `"do"`))
		e.requireError("99", "-32600")
	})
}

func TestChoicesAreRefusedDuringAnOpenQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s := choosing(t)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		s.say(plain)
		e.until(`"p"`)
		e.write(setS1("1", "mode", `"do"`))
		e.requireError("1", "answer its question first")
		e.write(promptS1(`"a"`, "because"))
		s.expect(`{"type":"question_response"}`)
		s.say(done)
		e.stopped(`"a"`, "end_turn")
	})
}
