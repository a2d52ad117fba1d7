package bridge_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

const askWithOptions = `{"type":"tool_confirmation_request","toolCallId":"a","toolName":"exit_plan","options":[` +
	`{"id":"go","name":"Yes","kind":"allow_once"},{"id":"allow_once","name":"Not now","kind":"reject_once"}]}`

// askedWith runs a turn until the editor receives a request caused by one of the
// agent's lines.
func askedWith(t *testing.T, line string) (e *editor, s *puppetSession, request string) {
	t.Helper()
	p := newPuppet()
	e, s = open(t, p, `{}`)
	e.write(promptS1(`"p"`, "go"))
	s.expect(`{"type":"prompt"}`)
	s.say(line)
	e.expectLike(`"sessionUpdate":"tool_call"`)
	request = e.read()
	require.Contains(t, request, `"session/request_permission"`)
	return e, s, request
}

// The id of an option may be anything, even the name of another decision. Only its kind
// determines its meaning.
func TestAnOptionsKindDecides(t *testing.T) {
	for outcome, want := range map[string]string{
		`{"outcome":"selected","optionId":"go"}`:           `"decision":"allow_once","optionId":"go"`,
		`{"outcome":"selected","optionId":"allow_once"}`:   `"decision":"reject_once","optionId":"allow_once"`,
		`{"outcome":"selected","optionId":"reject_once"}`:  `"decision":"cancelled","optionId":null`,
		`{"outcome":"selected","optionId":"allow_always"}`: `"decision":"cancelled","optionId":null`,
		`{"outcome":"cancelled","optionId":"go"}`:          `"decision":"cancelled","optionId":null`,
	} {
		t.Run(outcome, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, s, _ := askedWith(t, askWithOptions)
				e.answer(1, `{"outcome":`+outcome+`}`)
				s.expect(fmt.Sprintf(`{"type":"tool_confirmation_response","toolCallId":"a",%s}`, want))
			})
		})
	}
}

// A user must be able to refuse. The agent does not know the option that is added for
// that, so it only gets the decision.
func TestAMissingRejectOptionIsAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, s, request := askedWith(t, `{"type":"tool_confirmation_request","toolCallId":"a","options":[{"id":"reject_once","name":"Go","kind":"allow_once"}]}`)
		require.Contains(t, request, `"options":[{"optionId":"reject_once","name":"Go","kind":"allow_once"},{"optionId":"reject_once.","name":"Reject","kind":"reject_once"}]`)
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"reject_once."}}`)
		s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"reject_once","optionId":null}`)
	})
}

func TestInvalidOptionsAreNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, _, request := askedWith(t, `{"type":"tool_confirmation_request","toolCallId":"a","options":[`+
			`{"id":"","name":"nameless","kind":"allow_once"},{"id":"new","name":"New","kind":"allow_twice"},{"id":"none","name":"None"},`+
			`{"id":"no","name":"\u001b[31mNo\u202e","kind":"reject_once"}]}`)
		require.Contains(t, request, `"options":[{"optionId":"no","name":"\\x1b[31mNo\\u202e","kind":"reject_once"}]`)
	})
}

func TestAmbiguousOrUnusableOptionsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for options, reason := range map[string]string{
			`[{"id":"a","kind":"allow_once"},{"id":"a","kind":"reject_once"}]`: "two of its options have the same ID",
			`[{"id":"a","kind":"sure"},{"name":"b","kind":"allow_once"}]`:      "none of its options can be chosen: each needs an ID and a kind",
		} {
			p := newPuppet()
			e, s := open(t, p, `{}`)
			e.write(promptS1(`"p"`, "go"))
			s.expect(`{"type":"prompt"}`)
			s.say(`{"type":"tool_confirmation_request","toolCallId":"a","options":` + options + `}`)
			s.expect(fmt.Sprintf(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"cancelled","reason":%q}`, reason))
		}
	})
}
