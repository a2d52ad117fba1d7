package claude_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/claude"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

// asks is a request for permission to call a tool.
func asks(tool, input string) string {
	return fmt.Sprintf(`print {"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":%q,"input":%s,"tool_use_id":"t1"}}`, tool, input)
}

// accept answers the request r1 with a part of its change.
func (c *conversation) accept(d agent.Decision, texts ...agent.AcceptedText) {
	c.Confirm(agent.ConfirmationResponse{
		SessionID: "s1", TurnID: c.Turn, ConfirmationID: "r1", ToolCallID: "t1", Decision: d, OptionID: "allow", Accepted: texts,
	})
}

func TestAPartOfAChangeIsPermittedByItsArguments(t *testing.T) {
	for name, c := range map[string]struct {
		tool, input          string
		old, proposed, takes string
		want                 string // the arguments
		refused              string // the end of the message
	}{
		"a file": {
			"Write", `{"file_path":"/a","content":"ONE\n2\nTHREE\n","n":12345678901234567890}`,
			"one\n2\nthree\n", "ONE\n2\nTHREE\n", "ONE\n2\nthree\n",
			`{"file_path":"/a","content":"ONE\n2\nthree\n","n":12345678901234567890}`, "@@\n ONE\n 2\n-three\n+THREE\n",
		},
		"a piece of a long file": {
			"Write", `{"file_path":"/a","content":"head\nONE\n2\nTHREE\ntail\n"}`,
			"one\n2\nthree\n", "ONE\n2\nTHREE\n", "ONE\n2\nthree\n",
			`{"file_path":"/a","content":"head\nONE\n2\nthree\ntail\n"}`, "@@\n ONE\n 2\n-three\n+THREE\n",
		},
		"an edit": {
			"Edit", `{"file_path":"/a","old_string":"one\n2\nthree","new_string":"ONE\n2\nTHREE","replace_all":false}`,
			"0\none\n2\nthree\n4\n", "0\nONE\n2\nTHREE\n4\n", "0\nONE\n2\nthree\n4\n",
			`{"file_path":"/a","old_string":"one\n2\nthree","new_string":"ONE\n2\nthree","replace_all":false}`, "@@\n 0\n ONE\n 2\n-three\n+THREE\n 4\n",
		},
		"an edit of a file that could not be read": {
			"Edit", `{"file_path":"/a","old_string":"one\n2\nthree","new_string":"ONE\n2\nTHREE"}`,
			"one\n2\nthree", "ONE\n2\nTHREE", "one\n2\nTHREE",
			`{"file_path":"/a","old_string":"one\n2\nthree","new_string":"one\n2\nTHREE"}`, "@@\n-one\n+ONE\n 2\n THREE\n",
		},
		"an edit of a file with CRLF": {
			"Edit", `{"file_path":"/a","old_string":"one\n2\nthree","new_string":"ONE\n2\nTHREE"}`,
			"0\r\none\r\n2\r\nthree\r\n", "0\r\nONE\r\n2\r\nTHREE\r\n", "0\r\nONE\r\n2\r\nthree\r\n",
			`{"file_path":"/a","old_string":"one\n2\nthree","new_string":"ONE\n2\nthree"}`, "@@\n 0\r\n ONE\r\n 2\r\n-three\r\n+THREE\r\n",
		},
		"only the removal": {
			"Edit", `{"file_path":"/a","old_string":"one\n2","new_string":"2\nthree"}`,
			"0\none\n2\n4\n", "0\n2\nthree\n4\n", "0\n2\n4\n",
			`{"file_path":"/a","old_string":"one\n2","new_string":"2"}`, "@@\n 0\n 2\n+three\n 4\n",
		},
		"nothing instead": {
			"Edit", `{"file_path":"/a","old_string":"one","new_string":"1"}`,
			"0\none\n2\n", "0\n1\n2\n", "0\n\n2\n",
			`{"file_path":"/a","old_string":"one\n","new_string":"\n"}`, "@@\n 0\n-\n+1\n 2\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := open(t, agent.Options{})
				s.prompt(asks(c.tool, c.input))
				s.until("tool_confirmation_request")
				s.accept(agent.AllowOnce, agent.AcceptedText{Path: "/a", OldText: &c.old, NewText: c.proposed, Text: c.takes})
				s.until("done")
				s.requireAnswer(`{"behavior":"allow","updatedInput":` + c.want + `}`)
				synctest.Wait()
				messages := s.read(`"type":"user"`)
				require.Len(t, messages, 2)
				require.JSONEq(t, `{"type":"user","message":{"role":"user","content":[{"type":"text","text":`+
					quote("I accepted only a part of your change of /a, and only that part is written. "+
						"I refused the rest, so don't make it in another way:\n"+c.refused)+`}]},"parent_tool_use_id":null,"session_id":""}`, messages[1])
			})
		})
	}
}

// Only calls whose arguments can make a part are offered, and every other part is refused.
func TestAPartThatNoArgumentsMakeIsRefused(t *testing.T) {
	const edit = `{"file_path":"/a","old_string":"1","new_string":"one"}`
	for name, c := range map[string]struct {
		tool, input, old, proposed, takes string
		offered                           bool
	}{
		"another tool":         {"Bash", `{"command":"x"}`, "1", "one", "x", false},
		"every occurrence":     {"Edit", `{"file_path":"/a","old_string":"1","new_string":"one","replace_all":true}`, "1", "one", "x", false},
		"no new text":          {"Edit", `{"file_path":"/a","old_string":"1"}`, "1", "one", "x", false},
		"no content":           {"Write", `{"file_path":"/a"}`, "1", "one", "x", false},
		"no file":              {"Write", `{"content":"one"}`, "1", "one", "x", false},
		"content of a number":  {"Write", `{"file_path":"/a","content":1}`, "1", "one", "x", false},
		"another diff":         {"Write", `{"file_path":"/a","content":"two"}`, "1", "one", "x", true},
		"an ambiguous diff":    {"Write", `{"file_path":"/a","content":"one one"}`, "1", "one", "x", true},
		"another new text":     {"Edit", edit, "0\n1\n", "0\ntwo\n", "0\nx\n", true},
		"an ambiguous text":    {"Edit", edit, "1\n1\n", "one\n1\n", "x\n1\n", true},
		"a text not in a file": {"Edit", edit, "2\n", "one\n", "x\n", true},
		"a change before it":   {"Edit", edit, "0\n1\n2\n", "0\none\n2\n", "x\nx\n2\n", true},
		"a change after it":    {"Edit", edit, "0\n1\n2\n", "0\none\n2\n", "0\nx\nx\n", true},
		"too little":           {"Edit", edit, "11", "one1", "1", true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := open(t, agent.Options{})
				s.prompt(asks(c.tool, c.input))
				var asked *agent.ConfirmationRequested
				s.Until(func(e agent.Event) bool {
					asked, _ = e.(*agent.ConfirmationRequested)
					return asked != nil
				})
				require.Equal(t, c.offered, asked.Partial)
				s.accept(agent.AllowOnce, agent.AcceptedText{Path: "/a", OldText: &c.old, NewText: c.proposed, Text: c.takes})
				s.until("done")
				s.requireAnswer(`{"behavior":"deny","message":"The user accepted only a part of this change, and this call can't make that part. Nothing was written."}`)
				require.Len(t, s.read(`"type":"user"`), 1, "there is nothing to tell")
			})
		})
	}
}

func TestARefusedCallWithTextsIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := open(t, agent.Options{})
		s.prompt(asks("Write", `{"file_path":"/a","content":"one\ntwo\n"}`))
		s.until("tool_confirmation_request")
		s.accept(agent.RejectOnce, agent.AcceptedText{Path: "/a", NewText: "one\ntwo\n", Text: "one\n"})
		s.until("done")
		s.requireAnswer(`{"behavior":"deny","message":"The user refused this."}`)
		require.Len(t, s.read(`"type":"user"`), 1)
	})
}

func TestAPartIsNotPermittedAfterACancel(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := open(t, agent.Options{})
		s.prompt(asks("Write", `{"file_path":"/a","content":"one\ntwo\n"}`))
		s.until("tool_confirmation_request")
		s.Stop()
		s.accept(agent.AllowOnce, agent.AcceptedText{Path: "/a", NewText: "one\ntwo\n", Text: "one\n"})
		s.until("done")
		synctest.Wait()
		s.requireAnswer(`{"behavior":"deny","message":"The user refused this."}`)
		require.Len(t, s.read(`"type":"user"`), 1)
	})
}

// Another program that prints stream-json may ignore the arguments in an answer.
func TestNoPartIsOfferedToAnotherProgram(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := openAs(t, claude.NewAny, process.Config{Args: []string{"other"}}, agent.Options{})
		s.prompt(asks("Write", `{"file_path":"/a","content":"one\ntwo\n"}`))
		s.Until(func(e agent.Event) bool {
			asked, is := e.(*agent.ConfirmationRequested)
			require.False(t, is && asked.Partial)
			return is
		})
		s.accept(agent.AllowOnce, agent.AcceptedText{Path: "/a", NewText: "one\ntwo\n", Text: "one\n"})
		s.until("done")
		require.Contains(t, s.read(`"type":"control_response"`)[0], `"behavior":"deny"`)
	})
}
