package normalize

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Limits, in bytes of JSON text.
const (
	// MaxText is the maximum length of the text in one step. Clients with a
	// limited line reader (64 KiB is common) can read it.
	MaxText = 32 << 10
	// MaxResult limits how much of a tool's result is shown.
	MaxResult = 1 << 20
	// MaxOutput limits how much of a tool's streamed output is kept and shown.
	// The newest part is kept.
	MaxOutput = 64 << 10
	// maxArgs limits arguments that are streamed in pieces.
	maxArgs = 1 << 20
	// maxSeen limits how many ids are remembered to make new ids unique.
	maxSeen = 1 << 18
	// maxOpen limits the open calls. maxEnded limits the ended calls that are
	// remembered to recognise a second end.
	maxOpen = 1 << 10
	// maxPast limits how many turns are remembered to recognise late events.
	maxPast  = 16
	maxEnded = 1 << 8
)

// A Normalizer tracks one session.
type Normalizer struct {
	cwd   string
	table toolview.Table
	files Files

	terminal     func(id string) error
	toldTerminal bool // the user was told about a terminal that can't be shown

	turn    string // the id of the running turn, "" between turns
	running bool
	past    []string // the ids of the last turns, including the running one
	strayed bool     // an event of this turn named another turn
	text    text
	calls   calls
	usage   Usage
	options options
	plans   []*agent.Plan // in order of first appearance
	apart   int           // number of messages from yieldApart
	yield   func(Step)
}

// New returns a normalizer for a session that works in cwd, an absolute path.
// table describes the tools of the session's dialect.
func New(cwd string, table toolview.Table) *Normalizer {
	return &Normalizer{cwd: cwd, table: table, calls: newCalls()}
}

// Files tracks the files that calls write. Its methods may read files, which may
// block briefly.
type Files interface {
	// CaptureBefore returns what a call would change: the diffs and the locations. It
	// is called for each new description of a call without diffs. It returns no
	// diffs if the call writes nothing or if its effect is unknown.
	CaptureBefore(tool *Tool) agent.View
	// CaptureAfter returns the diffs of what a call changed. ok is false if they are
	// unknown.
	CaptureAfter(tool *Tool) (diffs []agent.Diff, ok bool)
}

// Watch makes f provide the diffs of calls that write files.
func (t *Normalizer) Watch(f Files) { t.files = f }

// Begin starts a turn. The previous turn must have ended.
func (t *Normalizer) Begin(turnID string) {
	t.turn, t.running, t.strayed = turnID, true, false
	if len(t.past) == maxPast {
		t.past = t.past[:copy(t.past, t.past[1:])]
	}
	t.past = append(t.past, turnID)
	t.text.begin()
	t.calls.begin()
}

// Running reports whether a turn is running.
func (t *Normalizer) Running() bool { return t.running }

// Add handles the next event, and yields the resulting steps. It may modify e.
func (t *Normalizer) Add(e agent.Event, yield func(Step)) {
	t.yield = yield
	if id := e.Common().TurnID; id != "" && id != t.turn {
		t.stray(id, e)
		t.refuse(e, "it belongs to an ended turn")
		return
	}
	switch e := e.(type) {
	case *agent.Hint:
		t.yield(Step{Event: e})
	case *agent.TextDelta:
		t.addText(&e.Text, &e.Ends, &e.MessageID, e, message)
	case *agent.ThinkingDelta:
		t.addText(&e.Thinking, &e.Ends, &e.MessageID, e, thought)
	case *agent.ModeChanged:
		t.choose(e, agent.OptionMode, e.ModeID, e.Available)
	case *agent.ModelChanged:
		t.choose(e, agent.OptionModel, e.ModelID, e.Available)
	case *agent.ConfigOptions:
		t.offer(e)
	case *agent.Introduction:
		t.addInfo(e)
	case *agent.Usage:
		t.addUsage(e)
	default:
		switch {
		case agent.OfSession(e):
			t.yieldApart(Step{Event: e})
		case t.running:
			t.addToTurn(e)
		default:
			t.refuse(e, "no turn is running")
		}
	}
}

// stray yields a hint that an event was dropped because it names an unknown
// turn. It ignores late events of past turns, and yields one hint for each turn.
func (t *Normalizer) stray(id string, e agent.Event) {
	if !t.running || t.strayed || slices.Contains(t.past, id) {
		return
	}
	t.strayed = true
	f := lint.WrongTurn(e.Type(), id, t.turn)
	t.yield(Step{Event: &agent.Hint{Rule: f.Rule, Kind: f.Kind(), Message: f.Message, Help: f.Help, Lost: true}})
}

// addInfo adds the agent's introduction. Options, modes, models and commands in
// it are handled as if the agent had sent the separate events for them.
func (t *Normalizer) addInfo(e *agent.Introduction) {
	t.yield(Step{Event: e})
	if e.Options != nil {
		t.offer(&agent.ConfigOptions{Options: e.Options})
	}
	if m := e.Modes; m != nil {
		t.choose(&agent.ModeChanged{ModeID: m.ModeID, Available: m.Available}, agent.OptionMode, m.ModeID, m.Available)
	}
	if m := e.Models; m != nil {
		t.choose(&agent.ModelChanged{ModelID: m.ModelID, Available: m.Available}, agent.OptionModel, m.ModelID, m.Available)
	}
	if e.Commands != nil {
		t.yieldApart(Step{Event: &agent.AvailableCommands{Commands: e.Commands}})
	}
}

// addToTurn handles an event that is valid only during a turn.
func (t *Normalizer) addToTurn(e agent.Event) {
	switch e := e.(type) {
	case *agent.ContentBlock:
		e.MessageID = t.text.id(message, e.MessageID)
		t.text.shown = none
		t.yield(Step{Event: e})
	case *agent.Citation:
		e.MessageID = t.text.id(message, e.MessageID)
		t.yield(Step{Event: e})
	case *agent.MessageStart, *agent.MessageEnd, *agent.StepStart, *agent.StepEnd:
		t.text.boundary()
		t.yield(Step{Event: e})
	case *agent.UserMessage:
		t.text.interrupt()
		t.yieldApart(Step{Event: e})
	case *agent.Steered:
		if e.Refused != "" {
			t.yield(Step{Event: e})
			return
		}
		t.text.interrupt() // the user's message is shown here, and is replayed as a UserMessage
		t.yieldApart(Step{Event: e})
	case *agent.Plan, *agent.PlanRemoved:
		t.addPlan(e)
	case *agent.StreamReset:
		t.closeAll(true, "withdrawn by the agent")
		t.text.reset()
		t.yieldApart(Step{Event: e})
	case *agent.Error:
		if e.Fatal != nil && !*e.Fatal {
			t.yieldApart(Step{Event: e})
			return
		}
		t.closeAll(false, "the turn failed before the tool ended")
		t.end(e)
	case *agent.Done:
		t.addUnstreamed(e.Text)
		if e.StopReason == agent.StopCancelled {
			t.closeCancelled("the turn ended without a result")
		}
		t.closeAll(false, "the turn ended without a result")
		t.end(e)
	default:
		t.addToCall(e)
	}
}

// Cancel ends a turn without waiting for the agent: it closes the open calls and
// yields a Done event with the stop reason cancelled.
func (t *Normalizer) Cancel(yield func(Step)) {
	if !t.running {
		return
	}
	t.yield = yield
	t.closeCancelled("cancelled")
	t.end(&agent.Done{StopReason: agent.StopCancelled})
}

// Fail ends a turn that the agent won't end.
func (t *Normalizer) Fail(e *agent.Error, yield func(Step)) {
	if !t.running {
		return
	}
	t.yield = yield
	t.closeAll(false, "the turn failed before the tool ended")
	t.end(e)
}

func (t *Normalizer) end(e agent.Event) {
	t.flushText()
	t.running, t.turn = false, ""
	t.yield(Step{Event: e, End: true})
	t.text.tail, t.text.before = nil, nil // free the memory: the session may be idle for days
}

// yieldApart yields a step that may be shown as a separate message.
func (t *Normalizer) yieldApart(s Step) {
	t.apart++
	s.MessageID = "n" + strconv.Itoa(t.apart)
	t.yield(s)
}

// addUsage adds up the costs of the session. The context size is that of the
// last request; an event without tokens (with only a cost) does not change it.
func (t *Normalizer) addUsage(e *agent.Usage) {
	in := e.InputTokens + e.CacheReadTokens + e.CacheCreationTokens + e.OutputTokens
	if in > 0 {
		t.usage.Used = uint64(in)
	}
	if e.ContextWindow > 0 {
		t.usage.Size = uint64(e.ContextWindow)
	}
	if cost := t.usage.Cost + e.EstimatedCostUSD; cost > t.usage.Cost && !math.IsInf(cost, 0) {
		t.usage.Cost = cost
	}
	u := t.usage
	t.yield(Step{Event: e, Usage: &u})
}

// Bounded truncates s to limit bytes and appends a note if it was longer.
func Bounded(s agent.Text, limit int) agent.Text {
	if s.Len() <= limit {
		return s
	}
	head, tail := rawjson.Body(s).Cut(limit)
	return rawjson.Wrap(append(append(rawjson.String(nil), head...), cutMark(len(tail))...))
}

// Short truncates s to [MaxText] bytes and appends a note if it was longer.
func Short(s string) string {
	if len(s) <= MaxText {
		return s
	}
	head := strings.ToValidUTF8(s[:MaxText], "")
	return head + cutMark(len(s)-len(head)).String()
}
