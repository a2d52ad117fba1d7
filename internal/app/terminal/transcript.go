package terminal

import (
	"strings"
	"time"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A painter shows rows to the user. [*plainPainter] writes one after the other; the surfaces
// of a [screen] show them above a region that they redraw.
type painter interface {
	// stream continues the text of a mode.
	stream(m mode, text string)
	// print shows finished rows. It first ends the streamed line.
	print(rows ...string)
	// live replaces the live region.
	live(rows []string)
	// flush writes all buffered output.
	flush() error
	close() error
}

// A mode is the look of streamed text.
type mode uint8

const (
	messageMode mode = iota
	thoughtMode
)

// A section is a run of rows that belong together. An empty row separates sections.
type section uint8

const (
	sectionNone section = iota
	sectionMessage
	sectionThought
	sectionTool
	sectionPlan
	sectionNotice
	sectionEnd
	sectionPrompt
	sectionQuestion
)

// A transcript converts updates into rows. Only the loop uses it.
type transcript struct {
	st       style
	out      painter
	now      func() time.Time
	limit    int  // rows of a tool's output
	announce bool // print a row when a tool starts, because there is no live region
	past     bool // the turn is over, so the time between its updates means nothing
	follows  bool // others send prompts too
	rendered bool // Markdown is rendered, so empty rows at the end of a message aren't shown

	section  section
	newlines int // at the end of the streamed text
	message  string
	cleaners [2]cleaner // by mode

	running []*toolCall
	ended   map[string]bool
	entries []v1.PlanEntry
	frame   int
	open    prompt
	answers bool // keys currently answer the open prompt
	remark  string
	current string // the mode; "" if unknown
	used    uint64
	cost    *v1.Cost
	cuts    []cutText     // what was cut, oldest first
	began   time.Time     // of the turn
	asked   time.Time     // since when the turn waits for the user; zero if it doesn't
	waited  time.Duration // how long the turn waited for the user before
}

func newTranscript(st style, out painter, now func() time.Time, limit int) *transcript {
	return &transcript{st: st, out: out, now: now, limit: limit, announce: !st.live, ended: map[string]bool{}, began: now()}
}

func (t *transcript) update(_ []byte, u v1.Update) {
	switch u := u.(type) {
	case *v1.MessageChunk:
		t.chunk(u)
	case *v1.ToolCall:
		t.toolUpdate(&u.ToolCallFields)
	case *v1.ToolCallUpdate:
		t.toolUpdate(&u.ToolCallFields)
	case *v1.Plan:
		t.plan(u.Entries)
	case *v1.Notice:
		t.notice(u)
	case *v1.CurrentModeUpdate:
		if u.CurrentModeID != t.current {
			t.begin(sectionNotice)
			t.out.print(t.st.dim("mode: " + cleanLine(u.CurrentModeID)))
		}
		t.mode(u.CurrentModeID)
	case *v1.UsageUpdate:
		t.used, t.cost = u.Used, u.Cost
	}
}

// mode notes the mode that the user already knows.
func (t *transcript) mode(id string) { t.current = id }

// begin separates a new section from the last one.
func (t *transcript) begin(s section) {
	if t.section == s {
		return
	}
	if t.section != sectionNone && t.newlines < 2 {
		t.out.print("")
	}
	t.section, t.newlines, t.message = s, 0, ""
}

// prompted shows another user's prompt. This user's prompt is already on the screen.
func (t *transcript) prompted(c *v1.MessageChunk) {
	if !t.follows || c.Content == nil {
		return
	}
	if t.section != sectionNone {
		t.section = sectionEnd // separate it from the previous prompt
	}
	t.begin(sectionPrompt)
	for _, row := range blockRows(c.Content) {
		t.out.print(t.st.bold("> " + row))
	}
}

func (t *transcript) chunk(c *v1.MessageChunk) {
	m, s := messageMode, sectionMessage
	switch c.Kind {
	case v1.AgentThought:
		m, s = thoughtMode, sectionThought
	case v1.UserMessage:
		t.prompted(c)
		return
	}
	fresh := t.section != s
	t.begin(s)
	if c.MessageID != "" {
		if t.message != "" && t.message != c.MessageID && t.newlines < 2 {
			t.out.print("")
			fresh = true
		}
		t.message = c.MessageID
	}
	block, ok := c.Content.(*v1.TextBlock)
	if !ok {
		t.out.print(blockRows(c.Content)...)
		t.newlines = 1
		return
	}
	text := t.cleaners[m].clean(block.Text.String())
	if fresh {
		text = strings.TrimLeft(text, "\n")
	}
	if text == "" {
		if fresh && t.newlines == 0 {
			t.newlines = 2 // nothing was shown yet, so no empty row is needed
		}
		return
	}
	switch body := strings.TrimRight(text, "\n"); {
	case t.rendered && m == messageMode:
		t.newlines = 0
	case body != "":
		t.newlines = len(text) - len(body)
	default:
		t.newlines += len(text)
	}
	t.out.stream(m, text)
}

func (t *transcript) notice(n *v1.Notice) {
	t.begin(sectionNotice)
	row := cleanLine(n.Title)
	switch n.Severity {
	case "error":
		row = t.st.fail("✗ " + row)
	case "warning":
		row = t.st.yellow("⚠ " + row)
	default:
		row = t.st.accent("ℹ ") + row
	}
	t.out.print(row)
	t.out.print(indent("  ", splitLines(clean(n.Description)))...)
}

// say shows a remark from Turnwire itself.
func (t *transcript) say(text string) {
	t.begin(sectionTool)
	t.out.print(t.st.yellow(text))
}

// wait shows a remark until another one replaces it.
func (t *transcript) wait(text string) { t.remark = text }

func (t *transcript) flush() error {
	t.out.live(t.liveRows())
	return t.out.flush()
}

func (t *transcript) tick() { t.frame++ }

// end shows the remaining rows: calls that never ended, and why the turn stopped.
func (t *transcript) end(r *report) error {
	stop := r.StopReason
	t.open, t.remark = nil, ""
	for _, tool := range t.running {
		t.begin(sectionTool)
		t.out.print(t.st.dim("– " + tool.caption()))
	}
	t.running = nil
	if reason := stopped(stop); reason != "" {
		t.begin(sectionEnd)
		t.out.print(t.st.yellow("■ " + reason))
	}
	if t.st.live && stop == v1.StopEndTurn {
		t.begin(sectionEnd)
		t.out.print(t.st.dim(t.summary()))
	}
	t.out.print() // the shell's prompt must start on a new line
	t.out.live(nil)
	return t.out.flush()
}

// stopped returns why a turn ended early, or "" if it didn't.
func stopped(stop v1.StopReason) string {
	switch stop {
	case v1.StopMaxTokens:
		return "stopped: the token limit was reached"
	case v1.StopMaxTurnRequests:
		return "stopped: the limit of requests per turn was reached"
	case v1.StopRefusal:
		return "stopped: the agent refuses to continue"
	case v1.StopCancelled:
		return "cancelled"
	}
	return ""
}
