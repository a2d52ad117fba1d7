package bridge_test

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// A desk decides by the kinds of calls, and records the calls and decisions.
type desk struct {
	allow, deny string

	mu    sync.Mutex
	calls []consent.Call
	made  []consent.Decision
}

// Judge implements [consent.Judge].
func (d *desk) Judge(c consent.Call) consent.Ruling {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, c)
	switch c.Kind {
	case d.allow:
		return consent.Ruling{Verdict: consent.Allow, Rule: "allow " + c.Kind, At: "f:1"}
	case d.deny:
		return consent.Ruling{Verdict: consent.Deny, Rule: "deny " + c.Kind, At: "f:2"}
	}
	return consent.Ruling{}
}

func (d *desk) use(c *setup) {
	c.Judge, c.Key, c.client.Client.Transport = d, "kettle", "stdio"
	c.Audit = func(made consent.Decision) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.made = append(d.made, made)
	}
}

// sentences returns the decisions so far.
func (d *desk) sentences() (all []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, made := range d.made {
		all = append(all, made.Call+" "+made.Option+" "+made.Sentence())
	}
	return all
}

// ruled runs a turn in which the agent asks.
func (d *desk) ruled(t *testing.T, request string) (*editor, *puppetSession) {
	t.Helper()
	p := newPuppet()
	e := connect(t, p, d.use)
	e.request(`"init"`, "initialize", `{"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"ed","version":"1"}}`)
	require.Contains(t, e.read(), `"protocolVersion":1`)
	s := e.newSession(p)
	e.write(promptS1(`"p"`, "go"))
	s.expect(`{"type":"prompt"}`)
	s.say(request)
	e.expectLike(`"sessionUpdate":"tool_call"`)
	return e, s
}

// ended ends the turn; everything before it is then done.
func ended(e *editor, s *puppetSession) {
	s.say(`{"type":"done","text":""}`)
	e.until(`"p"`)
}

func TestARuleAllowsOnceWithoutAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{allow: "edit"}
		e, s := d.ruled(t, askToEdit)
		e.expectLike(`"sessionUpdate":"tool_call_update"`, `"toolCallId":"a"`, `"turnwire.dev/decision":{`, `"rule":"allow edit"`, `"at":"f:1"`)
		s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"allow_once"}`)
		require.Len(t, d.calls, 1)
		require.Equal(t, consent.Call{
			Agent: "kettle", Session: e.ids[0], Dir: "/project", ID: "a", Tool: "edit_file", Kind: "edit", Paths: []string{"/project/x.txt"},
		}, d.calls[0])
		s.say(`{"type":"done","text":""}`)
		e.stopped(`"p"`, "end_turn")
		require.Equal(t, []string{"a allow_once allowed by the rule allow edit (f:1)"}, d.sentences())
	})
}

func TestADenyingRuleTellsTheAgentWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{deny: "edit"}
		e, s := d.ruled(t, askToEdit)
		e.expectLike(`"turnwire.dev/decision":{`, `"verdict":"deny"`)
		s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"reject_once","reason":"denied by the user's policy: deny edit"}`)
		s.say(`{"type":"done","text":""}`)
		for _, line := range e.until(`"p"`) {
			require.NotContains(t, line, "session/request_permission")
		}
		require.Equal(t, []string{"a reject_once denied by the rule deny edit (f:2)"}, d.sentences())
	})
}

func TestRulesChooseOnlyOneTimeOptions(t *testing.T) {
	for name, options := range map[string]string{
		"none allows once":  `[{"id":"all","name":"All","kind":"allow_always"},{"id":"no","name":"No","kind":"reject_once"}]`,
		"two allow once":    `[{"id":"a","name":"A","kind":"allow_once"},{"id":"b","name":"B","kind":"allow_once"}]`,
		"decisions instead": `[]`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &desk{allow: "edit"}
				e, s := d.ruled(t, `{"type":"tool_confirmation_request","toolCallId":"a","toolName":"edit_file","decisions":["allow_always","reject_once"],"options":`+options+`}`)
				e.expectLike(`"session/request_permission"`, `"id":1`)
				e.answer(1, `{"outcome":{"outcome":"cancelled"}}`)
				s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"cancelled"}`)
				ended(e, s)
				require.Equal(t, []string{"a  not decided by the user in ed"}, d.sentences())
			})
		})
	}
}

func TestUndecidedRequestsGoToTheUserAndAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{}
		e, s := d.ruled(t, askToEdit)
		e.expectLike(`"session/request_permission"`, `"id":1`)
		// The editor's claim that another client answered is not believed.
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"allow_always"},"_meta":{"turnwire.dev/answeredBy":{"token":"boss"}}}`)
		s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"allow_always"}`)
		ended(e, s)
		require.Equal(t, []string{"a allow_always allowed by the user in ed"}, d.sentences())
		require.Equal(t, "stdio", d.made[0].Client.Transport)
	})
}

// A client that cannot ask the user says so in its refusals.
func TestAutomaticRefusalsAreNotTheUsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for outcome, want := range map[string]string{
			"reject_once": "a reject_once denied: the user cannot be asked",
			"allow_once":  "a allow_once allowed by the user in ed",
		} {
			d := &desk{}
			e, s := d.ruled(t, askToEdit)
			e.expectLike(`"session/request_permission"`, `"id":1`)
			e.answer(1, `{"outcome":{"outcome":"selected","optionId":"`+outcome+`"},"_meta":{"turnwire.dev/unasked":"the user cannot be asked"}}`)
			s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"` + outcome + `"}`)
			ended(e, s)
			require.Equal(t, []string{want}, d.sentences())
		}
	})
}

func TestWithdrawnRequestsAreRecordedOnce(t *testing.T) {
	t.Run("by a cancel", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d := &desk{}
			e, s := d.ruled(t, askToEdit)
			e.expectLike(`"session/request_permission"`, `"id":1`)
			e.write(cancelS1)
			s.expect(`{"type":"cancel"}`)
			e.stopped(`"p"`, "cancelled")
			require.Equal(t, []string{"a  not decided: the turn was cancelled or has ended"}, d.sentences())
		})
	})
	t.Run("by the agent", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d := &desk{}
			e, s := d.ruled(t, askToEdit)
			e.expectLike(`"session/request_permission"`, `"id":1`)
			s.say(`{"type":"tool_end","toolCallId":"a","toolName":"edit_file","ok":false}`, `{"type":"done","text":""}`)
			e.stopped(`"p"`, "end_turn")
			require.Equal(t, []string{"a  not decided: the agent no longer waits for the decision"}, d.sentences())
		})
	})
	t.Run("by an error", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			d := &desk{}
			e, s := d.ruled(t, askToEdit)
			e.expectLike(`"session/request_permission"`, `"id":1`)
			e.refuse(1)
			s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"cancelled"}`)
			ended(e, s)
			require.Equal(t, []string{"a  not decided: the client failed to answer"}, d.sentences())
		})
	})
}

func TestRulesDoNotApplyToQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{allow: "think", deny: "other"}
		e, s := d.ruled(t, which)
		e.expectLike(`"session/request_permission"`, `"id":1`)
		e.answer(1, `{"outcome":{"outcome":"selected","optionId":"choice-1"}}`)
		require.Contains(t, s.command(), "question_response")
		ended(e, s)
		require.Empty(t, d.calls)
		require.Empty(t, d.sentences())
	})
}

func TestRulesApplyToCallsOfSubAgents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{deny: "execute"}
		e, s := d.ruled(t, `{"type":"subagent_start","toolCallId":"task","name":"helper"}`)
		s.say(`{"type":"tool_confirmation_request","toolCallId":"a","parentToolCallId":"task","toolName":"run_command","args":{"command":["sh","-c","rm -rf /"]}}`)
		s.expect(`{"type":"tool_confirmation_response","toolCallId":"a","decision":"reject_once","reason":"denied by the user's policy: deny execute"}`)
		require.Equal(t, "sh -c 'rm -rf /'", d.calls[0].Command)
		s.say(`{"type":"done","text":""}`)
		e.until(`"p"`)
	})
}
