package normalize_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A checker checks steps against the contract of the package.
type checker struct {
	t       *testing.T
	running bool
	calls   map[string]*seenCall // by ID, in the session
	apart   map[string]bool      // Step.MessageID values in the session
	gone    map[string]bool      // messages followed by another one, in the session
	current string               // the growing message
	thought bool                 // whether it is a thought
	cost    float64

	adding  agent.Event // the event being added; nil for a cancel or a flush
	inTurn  bool        // adding began during a turn
	longest int         // length of the longest piece of text, as JSON
	final   string      // the text of adding, if it ends the turn
	have    string      // the text yielded in the turn
	more    string      // the text yielded while the end was added
	reset   bool        // the agent withdrew text, or there is more than is remembered
}

type seenCall struct {
	tool *normalize.Tool
	ends int
	last normalize.Status
	told told
}

func newChecker(t *testing.T) *checker {
	t.Helper()
	return &checker{t: t, calls: make(map[string]*seenCall), apart: make(map[string]bool), gone: make(map[string]bool)}
}

func (c *checker) begin() {
	require.False(c.t, c.running)
	c.running, c.have, c.reset = true, "", false
}

// before is called before each event is added.
func (c *checker) before(e agent.Event) {
	c.adding, c.inTurn, c.final, c.more = e, c.running, "", ""
	switch e := e.(type) {
	case *agent.TextDelta:
		c.longest = max(c.longest, e.Text.Len())
	case *agent.StreamReset:
		c.reset = true
	case *agent.Done:
		c.final = e.Text
		c.longest = max(c.longest, len(rawjson.Quote(e.Text)))
	}
}

// after is called after each event was added.
func (c *checker) after(normalizer *normalize.Normalizer) {
	c.t.Helper()
	require.Equal(c.t, c.running, normalizer.Running(), "the turn ends with the step that says so")
	open, ended, ids, text := normalizer.StateSize()
	require.LessOrEqual(c.t, open, normalize.MaxOpen)
	require.LessOrEqual(c.t, ended, normalize.MaxEnded)
	require.LessOrEqual(c.t, ids, normalize.MaxSeen)
	require.LessOrEqual(c.t, text, 2*(normalize.MaxTail+c.longest+6))
	if _, isDone := c.adding.(*agent.Done); !isDone || c.reset || !c.inTurn || c.running || len(c.have) > normalize.MaxTail {
		return
	}
	want, had, all := squeeze(c.final), squeeze(strings.TrimSuffix(c.have, c.more)), squeeze(c.have)
	switch rest, begins := strings.CutPrefix(want, had); {
	case !begins: // the last messages, or other text
	case rest == "":
		require.Contains(c.t, []string{"", "\ufffd"}, c.more, "all of the text was streamed, but for half a character")
	case had == "":
		require.True(c.t, strings.HasSuffix(all, want), "text that was never streamed: %q in %q", want, all)
	default:
		require.Equal(c.t, want, all, "streamed text is not yielded twice")
	}
}

func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// refused reports whether e is a request with a refusal.
func refused(e agent.Event) bool {
	switch e := e.(type) {
	case *agent.ConfirmationRequested:
		return e.Refusal != ""
	case *agent.EditorRequested:
		return e.Refusal != ""
	case *agent.QuestionAsked:
		return e.Refusal != ""
	}
	return false
}

// strict checks that strict readers accept the JSON.
func (c *checker) strict(line []byte) {
	c.t.Helper()
	require.True(c.t, json.Valid(line), "%q", line)
	require.True(c.t, utf8.Valid(line), "%q", line)
	require.NotContains(c.t, string(line), "\n", "a line is a line")
	require.Equal(c.t, string(line), string(rawjson.CleanValue(line)), "no lone surrogates")
}

func (c *checker) body(s rawjson.String) {
	c.t.Helper()
	c.strict(append(append([]byte{'"'}, s...), '"'))
}

func (c *checker) step(s normalize.Step) {
	c.t.Helper()
	require.NotNil(c.t, s.Event)
	c.strict(agent.AppendJSON(nil, s.Event))
	if refused(s.Event) {
		require.Nil(c.t, s.Tool, "what is refused is not announced")
		require.False(c.t, s.End)
		return
	}
	if !c.running {
		require.True(c.t, ofSession(s.Event), "%T outside of a turn", s.Event)
		require.Nil(c.t, s.Tool)
		require.False(c.t, s.End)
	}
	if s.MessageID != "" {
		require.False(c.t, c.apart[s.MessageID], "the id of a message apart is new")
		c.apart[s.MessageID] = true
	}
	c.words(s)
	c.tool(s)
	c.numbers(s)

	fatal, isError := s.Event.(*agent.Error)
	_, isDone := s.Event.(*agent.Done)
	ends := isDone || isError && (fatal.Fatal == nil || *fatal.Fatal)
	require.Equal(c.t, ends, s.End, "%T", s.Event)
	if s.End {
		c.running = false
		for id, call := range c.calls {
			require.True(c.t, call.last.Terminal(), "%s is open at the end of the turn", id)
		}
	}
}

// ofSession reports whether an event may come between turns.
func ofSession(e agent.Event) bool { return agent.OfSession(e) }

// words checks text, thoughts and content.
func (c *checker) words(s normalize.Step) {
	c.t.Helper()
	var id string
	var body rawjson.String
	thought := false
	switch e := s.Event.(type) {
	case *agent.TextDelta:
		id, body = e.MessageID, rawjson.Body(e.Text)
		c.have += e.Text.String()
		c.more += e.Text.String()
	case *agent.ThinkingDelta:
		id, body, thought = e.MessageID, rawjson.Body(e.Thinking), true
	case *agent.ContentBlock:
		id, body = e.MessageID, rawjson.String("content")
	default:
		return
	}
	require.NotEmpty(c.t, id, "every text has a message id")
	require.NotEmpty(c.t, body, "no text is empty")
	require.LessOrEqual(c.t, len(body), normalize.MaxText)
	c.body(body)
	require.False(c.t, c.gone[id], "message %s goes on behind another", id)
	if id == c.current {
		require.Equal(c.t, c.thought, thought, "message %s is text and thought", id)
		return
	}
	c.gone[c.current] = c.current != ""
	c.current, c.thought = id, thought
}

// tool checks a step about a call.
func (c *checker) tool(s normalize.Step) {
	c.t.Helper()
	tool := s.Tool
	if tool == nil {
		require.False(c.t, s.First)
		require.Zero(c.t, s.Output)
		return
	}
	require.NotEmpty(c.t, tool.ID)
	require.NotEqual(c.t, tool.ID, tool.Parent, "a call is no part of itself")
	require.NotEmpty(c.t, tool.View.Title)
	require.NotEmpty(c.t, tool.View.Kind)
	if tool.Args != nil {
		c.strict(tool.Args)
	}
	call := c.calls[tool.ID]
	require.Equal(c.t, call == nil, s.First, "First is set on the first step about %s: %T", tool.ID, s.Event)
	if call == nil {
		call = &seenCall{tool: tool}
		c.calls[tool.ID] = call
	}
	require.Same(c.t, call.tool, tool, "an id names one call")
	require.GreaterOrEqual(c.t, tool.Status, call.last, "a status never goes back")
	require.Equal(c.t, tool.ID, callID(s.Event), "%T", s.Event)
	if parent := parentID(s.Event); parent != "" {
		require.Equal(c.t, tool.Parent, parent, "%T", s.Event)
	}
	c.body(rawjson.Body(s.Output))
	require.LessOrEqual(c.t, s.Output.Len(), normalize.MaxOutput+100)

	call.told.apply(s)
	if !ofNoCall(s.Event) && call.ends == 0 {
		call.told.require(c.t, s)
	}

	ended := call.last.Terminal()
	call.last = tool.Status
	switch e := s.Event.(type) {
	case *agent.ToolEnd:
		call.ends++
		require.LessOrEqual(c.t, call.ends, 2, "a second end only brings a result")
		require.True(c.t, tool.Status.Terminal())
		require.Equal(c.t, tool.Status == normalize.Completed, e.OK)
		require.LessOrEqual(c.t, e.Result.Len(), normalize.MaxResult+100)
	case *agent.SubagentEnd:
		require.False(c.t, ended, "one terminal status")
		require.True(c.t, tool.Status.Terminal())
	case *agent.ConfirmationResolved, *agent.ApprovalResponse: // may come after the call has ended
	case *agent.ToolProgress:
		require.Equal(c.t, agent.ForUser, e.Audience)
		require.False(c.t, ended)
	default:
		require.False(c.t, ended, "%T about %s, which has ended", s.Event, tool.ID)
		require.False(c.t, tool.Status.Terminal(), "%T", s.Event)
	}
}

// callID returns the id of the call in an event.
func callID(e agent.Event) string {
	switch e := e.(type) {
	case *agent.ToolPending:
		return e.ToolCallID
	case *agent.ToolArgsDelta:
		return e.ToolCallID
	case *agent.ToolReady:
		return e.ToolCallID
	case *agent.ToolStart:
		return e.ToolCallID
	case *agent.ToolProgress:
		return e.ToolCallID
	case *agent.ToolOutput:
		return e.ToolCallID
	case *agent.ToolEnd:
		return e.ToolCallID
	case *agent.ApprovalRequired:
		return e.ToolCallID
	case *agent.ApprovalResponse:
		return e.ToolCallID
	case *agent.ConfirmationRequested:
		return e.ToolCallID
	case *agent.ConfirmationResolved:
		return e.ToolCallID
	case *agent.QuestionAsked:
		return e.ToolCallID
	case *agent.SubagentStart:
		return e.ID
	case *agent.SubagentEnd:
		return e.ID
	}
	return "none"
}

// parentID returns the id of the call to which an event's call belongs, or "".
func parentID(e agent.Event) string {
	switch e := e.(type) {
	case *agent.ToolPending:
		return e.ParentToolCallID
	case *agent.ToolReady:
		return e.ParentToolCallID
	case *agent.ToolStart:
		return e.ParentToolCallID
	case *agent.SubagentStart:
		return e.ParentToolCallID
	}
	return ""
}

// numbers checks usage and progress.
func (c *checker) numbers(s normalize.Step) {
	c.t.Helper()
	if e, ok := s.Event.(*agent.ToolProgress); ok {
		require.Equal(c.t, agent.ForUser, e.Audience, "only what is for the user")
	}
	_, ok := s.Event.(*agent.Usage)
	require.Equal(c.t, ok, s.Usage != nil)
	if ok {
		require.False(c.t, math.IsInf(s.Usage.Cost, 0) || math.IsNaN(s.Usage.Cost))
		require.GreaterOrEqual(c.t, s.Usage.Cost, c.cost, "costs add up")
		c.cost = s.Usage.Cost
	}
}
