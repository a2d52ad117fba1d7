package terminal

import (
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

func TestAFocusWaitsForAQuietMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f focus
		f.opened(time.Now())
		time.Sleep(readTime - 1)
		require.False(t, f.press(time.Now()), "the prompt has only just opened")
		time.Sleep(readTime - 1)
		require.False(t, f.press(time.Now()), "the last key has only just been pressed")
		time.Sleep(readTime)
		require.False(t, f.press(time.Now().Add(-readTime)), "the key is older than the last one")
		f.draft = true
		require.False(t, f.press(time.Now()), "a draft takes all keys")
		time.Sleep(readTime)
		f.draft = false
		require.True(t, f.press(time.Now()))
		f.taken = true
		require.True(t, f.press(time.Now()), "an answer of several keys has no pauses")
		f.opened(time.Now())
		require.False(t, f.press(time.Now()), "the next prompt waits again")
	})
}

// typesAhead types a letter every 100 ms.
func (s *session) typesAhead(letter string, times int) {
	s.t.Helper()
	for range times {
		s.press(letter)
		time.Sleep(100 * time.Millisecond)
	}
}

func TestTypeAheadAnswersNothingInARun(t *testing.T) {
	const question = `{"sessionId":"s1","mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{"answer":{"type":"string","enum":["Red","Green"]}},"required":["answer"]}}`
	for name, opts := range interactive {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := startSession(t, running+"\npermission "+asking+"\nquestion "+question+"\nstop end_turn", opts)
				s.stdout.await(t, "$ ls -la")
				s.typesAhead("y", 30)
				require.Empty(t, s.agent.answers())
				s.stdout.await(t, "[n]o")
				s.press("n")
				s.stdout.await(t, "Which?")
				s.typesAhead("1", 30)
				require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"no"}}`+"\n", s.agent.answers())
				time.Sleep(readTime)
				s.press("2")
				_, err := s.wait()
				require.NoError(t, err)
				require.Contains(t, s.agent.answers(), `{"answer":"Green"}`)
			})
		})
	}
}

// Letters that arrive at once were pasted, or typed before they could be read.
func TestABurstOfLettersIsNotAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startSession(t, "permission "+asking+"\nstop end_turn", Options{Interactive: true, Dumb: true})
		s.stdout.await(t, "[y]es")
		s.press("yyyy\n")
		synctest.Wait()
		require.Empty(t, s.agent.answers())
		time.Sleep(readTime)
		s.press("n\n")
		_, err := s.wait()
		require.NoError(t, err)
		require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"no"}}`+"\n", s.agent.answers())
	})
}

func TestTypeAheadAnswersNothingWhileFollowing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startSession(t, following+"\npermission "+asking+"\nhang", Options{Interactive: true, Follow: "s1"})
		s.stdout.await(t, "Allow?")
		s.typesAhead("y", 30)
		require.Empty(t, s.agent.answers())
		s.stdout.await(t, "[y]es")
		s.press("y")
		s.stdout.await(t, "→ yes, once")
	})
}

func TestTypeAheadAnswersNothingInAChat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, askedToEdit+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter", `"yy"`)
		c.until("Allow?")
		c.press(`"yy"`)
		c.wait(readTime)
		c.press(`"y"`)
		require.Contains(t, c.screen(), "│ yyyyy", "the draft is still there, and goes on")
		require.Contains(t, c.screen(), "Tab answers")
		require.Empty(t, c.agent.answers())

		c.press("tab")
		require.Contains(t, c.screen(), "Tab returns")
		c.press(`"y"`)
		require.Empty(t, c.agent.answers(), "Tab is a key, too")
		c.until("[n]o")
		c.press(`"n"`)
		c.until("done in")
		require.Contains(t, c.screen(), "│ yyyyy")
		require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"n"}}`+"\n", c.agent.answers())
	})
}

func TestLettersBeforeAPromptIsReadGoToTheDraft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, askedToEdit+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter")
		c.until("Allow?")
		c.press(`"yes"`)
		c.wait(time.Minute)
		require.Contains(t, c.screen(), "│ yes")
		require.NotContains(t, c.screen(), "[y]es")
		c.press("enter")
		require.Contains(t, c.screen(), "⏵ yes")
		require.Empty(t, c.agent.answers())
		c.until("[y]es")
		c.press(`"x"`)
		require.Contains(t, c.screen(), "│ x", "no choice has this key, so it is a draft")
		c.press("backspace")
		c.until("[y]es")
		c.update(tea.PasteMsg{Content: "y"})
		require.Contains(t, c.screen(), "│ y", "a pasted text is no answer")
	})
}

func TestAQuestionInAChatTakesTheKeyboard(t *testing.T) {
	const question = `question {"sessionId":"s1","mode":"form","message":"What?","requestedSchema":{"type":"object","properties":{"a":{"type":"string","enum":["Red","Green"]},"b":{"type":"string"}},"required":["a","b"]}}`
	synctest.Test(t, func(t *testing.T) {
		c := startChat(t, question+"\nstop end_turn", Options{})
		c.press(`"go"`, "enter")
		c.until("What?")
		c.press(`"2"`, "backspace")
		c.until("2. Green")
		c.press(`"2"`, `"yes "`)
		c.update(tea.PasteMsg{Content: "pasted\ntext"})
		c.press("enter")
		c.until("done in")
		require.Equal(t, `{"action":"accept","content":{"a":"Green","b":"yes pasted text"}}`+"\n", c.agent.answers())
	})
}
