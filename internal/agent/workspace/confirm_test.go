package workspace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestToolsRunOnlyWithPermission(t *testing.T) {
	for _, d := range []agent.Decision{agent.RejectOnce, agent.RejectAlways, agent.NotDecided, "", "allow", "yes"} {
		for _, line := range []string{"/write a.txt x", "/append a.txt x", "/edit b.txt old => new", "/run echo x > a.txt"} {
			c := open(t, map[string]string{"b.txt": "old"})
			c.decide = always(d)
			s := c.turn(line, "/say next")
			end := one[*agent.ToolEnd](t, s)
			require.False(t, end.OK)
			require.True(t, end.Cancelled)
			require.Regexp(t, "^refused", end.Error)
			require.Empty(t, end.Diffs)
			require.Empty(t, all[*agent.ToolStart](s))
			require.Contains(t, s.text(), "next")
			require.Contains(t, s.text(), "All done: 2 steps, 1 refused.")
			c.missing("a.txt")
			require.Equal(t, "old", c.get("b.txt"))
		}
	}
}

func TestARequestShowsTheWholeCall(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "one\ntwo\n"})
	c.decide = func(r *agent.ConfirmationRequested) agent.Decision {
		require.Equal(t, "one\ntwo\n", c.get("a.txt"), "nothing happens before the answer")
		require.Equal(t, "edit_file", r.ToolName)
		require.Equal(t, []agent.ConfirmationOption{
			{ID: "allow_once", Kind: agent.AllowOnce},
			{ID: "allow_always", Kind: agent.AllowAlways, Name: "Always allow changes to `a.txt` in this session"},
			{ID: "reject_once", Kind: agent.RejectOnce},
		}, r.Options)
		require.Equal(t, "Edit a.txt", r.Title)
		require.Equal(t, "edit", r.Kind)
		require.Equal(t, []agent.Location{{Path: c.path("a.txt"), Line: 2}}, r.Locations)
		require.Equal(t, "one\ntwo\n", *r.Diffs[0].OldText)
		require.Equal(t, "one\n2\n", r.Diffs[0].NewText)
		require.JSONEq(t, `{"path":"a.txt","edits":[{"old_text":"two","new_text":"2"}]}`, string(r.Args))
		return agent.AllowOnce
	}
	s := c.turn("/edit a.txt two => 2")
	require.Equal(t, []string{
		"tool_ready", "tool_confirmation_request", "tool_confirmation_resolved", "tool_start", "tool_end",
	}, s.types())
	require.Equal(t, agent.AllowOnce, one[*agent.ConfirmationResolved](t, s).Decision)
	require.Len(t, one[*agent.ToolEnd](t, s).Diffs, 1)
}

func TestAlwaysSaysWhatItCovers(t *testing.T) {
	c := open(t, nil)
	for prompt, covers := range map[string]string{
		"/run echo hi":                         "`echo hi`",
		"/run echo " + strings.Repeat("x", 60): "this command",
		"/run echo `pwd`":                      "this command",
		"/write sub/b.txt 1":                   "changes to `sub/b.txt`",
	} {
		c.decide = func(r *agent.ConfirmationRequested) agent.Decision {
			require.Equal(t, "Always allow "+covers+" in this session", r.Options[1].Name)
			return agent.RejectOnce
		}
		c.turn(prompt)
	}
}

func TestAConfirmationIsAnsweredByItsID(t *testing.T) {
	c := open(t, nil)
	c.prompt("/write a 1")
	request := until[*agent.ConfirmationRequested](c)
	c.session.Confirm(agent.ConfirmationResponse{ConfirmationID: "another", ToolCallID: request.ToolCallID, Decision: agent.RejectOnce})
	c.session.Confirm(agent.ConfirmationResponse{ConfirmationID: request.ConfirmationID, Decision: agent.AllowOnce})
	require.Equal(t, request.ConfirmationID, one[*agent.ConfirmationResolved](t, c.rest()).ConfirmationID)
	require.Equal(t, "1", c.get("a"))
}

func TestAllowOnceAsksAgain(t *testing.T) {
	c := open(t, nil)
	c.decide = always(agent.AllowOnce)
	require.Len(t, all[*agent.ConfirmationRequested](c.turn("/write a 1", "/write a 2")), 2)
}

func TestAllowAlwaysIsForTheSameToolAndTargetOnly(t *testing.T) {
	c := open(t, nil)
	c.decide = always(agent.AllowAlways)
	asked := func(lines ...string) int {
		return len(all[*agent.ConfirmationRequested](c.turn(lines...)))
	}
	require.Equal(t, 1, asked("/write a 1", "/write a 2", "/write ./sub/../a 3"))
	require.Equal(t, "3", c.get("a"))
	require.Zero(t, asked("/write a 4"), "it holds in later turns")
	require.Equal(t, 1, asked("/write b 1"), "another file")
	require.Equal(t, 1, asked("/append a 1"), "another tool")
	require.Equal(t, 1, asked("/run echo 1", "/run echo 1"))
	require.Equal(t, 1, asked("/run echo 1 "+"; echo 2"), "another command")

	other := open(t, nil, func(o *agent.Options) { o.Cwd = c.dir })
	other.decide = always(agent.RejectOnce)
	require.Len(t, all[*agent.ConfirmationRequested](other.turn("/write a 5")), 1, "another session")
}

func TestOnlyTheFirstAnswerCounts(t *testing.T) {
	c := open(t, nil)
	c.prompt("/write a 1", "/write b 2")
	first := until[*agent.ConfirmationRequested](c)
	c.session.Confirm(agent.ConfirmationResponse{ToolCallID: "call_99", Decision: agent.AllowOnce})
	c.session.Confirm(agent.ConfirmationResponse{ToolCallID: first.ToolCallID, Decision: agent.RejectOnce})
	c.session.Confirm(agent.ConfirmationResponse{ToolCallID: first.ToolCallID, Decision: agent.AllowAlways})
	second := until[*agent.ConfirmationRequested](c)
	c.session.Confirm(agent.ConfirmationResponse{ToolCallID: second.ToolCallID, Decision: agent.AllowOnce})
	require.Contains(t, c.rest().text(), "All done: 2 steps, 1 refused.")
	c.missing("a")
	require.Equal(t, "2", c.get("b"))
}
