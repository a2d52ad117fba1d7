package hub_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// A shelf saves questions under the control of a test.
type shelf struct {
	outcomes chan error // of saving

	mu    sync.Mutex
	calls []string
	empty int // number of empty decisions
}

func (s *shelf) note(what, session, id string, decision []byte) {
	var d consent.Decision
	if err := exactjson.Unmarshal(decision, &d); err != nil {
		d.Reason = err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if decision == nil {
		s.empty++
	}
	s.calls = append(s.calls, fmt.Sprintf("%s %s %s: %s %s %s", what, session, id, d.Call, d.Sentence(), d.ID))
}

// Asked implements [hub.Questions].
func (s *shelf) Asked(session, id string, decision []byte) { s.note("asked", session, id, decision) }

// Answered implements [hub.Questions].
func (s *shelf) Answered(session, id string, decision []byte) func() error {
	s.note("answered", session, id, decision)
	return func() error { return <-s.outcomes }
}

// Over implements [hub.Questions].
func (s *shelf) Over(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, "over "+session)
}

func (s *shelf) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

const yes = `{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`

func TestAnAnswerIsSavedBeforeTheAgentGetsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := &shelf{outcomes: make(chan error)}
		s := newStageWithQuestions(t, questions)
		one, two := s.join("one"), s.join("two")
		s.open(one)
		s.load(two)
		one.say(prompt)
		turn, _ := s.agent.awaitCall("session/prompt")
		two.expect(update(prompted))
		s.agent.say(permission, `7`)
		first, second := one.expect(fmt.Sprintf(permission, `"*"`)), two.expect(fmt.Sprintf(permission, `"*"`))
		two.say(yes, second)
		one.awaitCall("$/cancel_request") // the question is decided, whatever the outcome
		one.say(yes, first)               // too late
		three := s.join("three")
		s.load(three, prompted) // and it is withdrawn
		questions.outcomes <- nil
		s.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"_meta":{"turnwire.dev/answeredBy":{"client":"client-2","name":"two"}},"outcome":{"outcome":"selected","optionId":"yes"}}}`)
		s.agent.say(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, turn)
		one.expect(`{"jsonrpc":"2.0","id":"p","result":{"stopReason":"end_turn"}}`)
		name := "1-c"
		require.Contains(t, questions.all()[0], "asked s1 ")
		_, err := fmt.Sscanf(questions.all()[0], "asked s1 %s", &name)
		require.NoError(t, err)
		require.Equal(t, []string{
			"asked s1 " + name + " c not decided: its server died before anyone answered ",
			"answered s1 " + name + " c allowed by the user in two yes",
			"over s1",
		}, questions.all())
	})
}

func TestAnAnswerAfterATakeoverPermitsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := &shelf{outcomes: make(chan error, 1)}
		s := newStageWithQuestions(t, questions)
		one := s.join("one")
		s.open(one)
		s.agent.say(permission, `7`)
		questions.outcomes <- errors.New("another server has the session")
		one.say(yes, one.expect(fmt.Sprintf(permission, `"*"`)))
		s.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"cancelled"}}}`)
	})
}

// A client that refused without asking the user says so, and the record does not
// attribute the refusal to the user.
func TestAutomaticRefusalsAreRecordedAsSuch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := &shelf{outcomes: make(chan error, 1)}
		s := newStageWithQuestions(t, questions)
		one := s.join("one")
		s.open(one)
		permission := strings.Replace(permission, `"options":[`, `"options":[{"optionId":"no","name":"No","kind":"reject_once"},`, 1)
		s.agent.say(permission, `7`)
		questions.outcomes <- nil
		one.say(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"no"},"_meta":{"turnwire.dev/unasked":"the user cannot be asked"}}}`, one.expect(fmt.Sprintf(permission, `"*"`)))
		require.Contains(t, s.agent.hear(), `"optionId":"no"`)
		require.Contains(t, questions.all()[1], "c denied: its server died; it is unknown whether the agent received the answer no")
	})
}

// Nothing is recorded about a form, but only one answer to it counts.
func TestAFormIsAnsweredOnceAcrossServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := &shelf{outcomes: make(chan error)}
		s := newStageWithQuestions(t, questions)
		one := s.join("one")
		s.open(one)
		const (
			form   = `{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"sessionId":"s1","mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{}}}}`
			answer = `{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{}}}`
		)
		s.agent.say(form, `7`)
		one.say(answer, one.expect(fmt.Sprintf(form, `"*"`)))
		questions.outcomes <- nil
		s.agent.expect(`{"jsonrpc":"2.0","id":7,"result":{"action":"accept","content":{}}}`)
		s.agent.say(form, `8`)
		one.say(answer, one.expect(fmt.Sprintf(form, `"*"`)))
		questions.outcomes <- errors.New("another server has the session")
		s.agent.expect(`{"jsonrpc":"2.0","id":8,"result":{"action":"cancel"}}`)
		require.Len(t, questions.all(), 4)
		require.Equal(t, 4, questions.empty)
	})
}

// The agent may withdraw a request while its answer is being saved.
func TestAnswersToWithdrawnRequestsAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		questions := &shelf{outcomes: make(chan error)}
		s := newStageWithQuestions(t, questions)
		one := s.join("one")
		s.open(one)
		s.agent.say(permission, `7`)
		one.say(yes, one.expect(fmt.Sprintf(permission, `"*"`)))
		synctest.Wait()
		require.Len(t, questions.all(), 2)
		s.agent.say(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}`)
		require.Contains(t, s.agent.hear(), "-32800")
		questions.outcomes <- nil
		s.agent.say(permission, `8`) // nothing more was sent about the first request
		one.say(yes, one.expect(fmt.Sprintf(permission, `"*"`)))
		questions.outcomes <- nil
		require.Contains(t, s.agent.hear(), `"id":8,`)
	})
}
