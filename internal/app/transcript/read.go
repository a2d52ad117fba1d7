package transcript

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Read yields the parts of a session in cwd. An error from records ends the sequence.
func Read(records iter.Seq2[journal.Record, error], cwd string) iter.Seq2[Part, error] {
	return func(yield func(Part, error) bool) {
		f := &fold{normalizer: normalize.New(cwd, toolview.Common), decoder: native.Dialect.NewDecoder(), yield: yield, deferred: make(map[*normalize.Tool]normalize.Fields)}
		for r, err := range records {
			if err == nil {
				err = f.add(r)
			}
			if f.stopped {
				return
			}
			if err != nil {
				f.interrupt()
				if !f.stopped {
					yield(Part{}, err)
				}
				return
			}
		}
		f.interrupt()
	}
}

// A fold is the state while reading a session.
type fold struct {
	normalizer *normalize.Normalizer
	decoder    dialect.Decoder
	yield      func(Part, error) bool
	stopped    bool // yield returned false
	time       time.Time
	turn       string     // id of the last prompt's turn
	running    bool       // in a turn of an ACP agent
	visible    bool       // that turn has shown something
	prompted   []v1.Block // last prompt
	asked      []*agent.QuestionAsked
	deferred   map[*normalize.Tool]normalize.Fields // deferred changes of running calls
}

func (f *fold) give(p Part) {
	p.Time = f.time
	if !f.stopped && !f.yield(p, nil) {
		f.stopped = true
	}
}

// add handles a record. It skips types that only later versions know.
func (f *fold) add(r journal.Record) (err error) {
	if !r.Time.IsZero() {
		f.time = r.Time
	}
	switch r.Type {
	case journal.TypePrompt:
		err = f.prompt(r.Data)
	case journal.TypeEvent:
		err = f.decoder.Decode(r.Data, func(e agent.Event) bool {
			f.normalizer.Add(e, f.step)
			return !f.stopped
		})
	case journal.TypeCommand:
		err = f.command(r.Data)
	case journal.TypeUpdate:
		f.update(r.Data)
	case journal.TypeAsk:
		err = f.addRequest(r.Data)
	case journal.TypeAnswer:
		err = f.answer(r.Data)
	case journal.TypeDecision:
		var d consent.Decision
		if exactjson.Unmarshal(r.Data, &d) == nil { // ignore an invalid one: the session doesn't need it
			f.give(Part{By: &d})
		}
	}
	if err != nil {
		return fmt.Errorf("record %d: %w", r.Seq, err)
	}
	return nil
}

// prompt handles a prompt. A prompt during a turn answers a question.
func (f *fold) prompt(data []byte) error {
	var c agent.Prompt
	if err := exactjson.Unmarshal(data, &c); err != nil {
		return err
	}
	native := c.TurnID != "" // ACP agents don't identify turns
	if !native || !f.normalizer.Running() || c.TurnID != f.turn {
		f.interrupt()
		if f.running = !native; native {
			f.normalizer.Begin(c.TurnID)
		}
	}
	f.turn, f.visible = c.TurnID, false
	for _, q := range f.asked {
		f.give(Part{Question: &Question{Text: questionText(q)}}) // before its answer
	}
	f.asked = nil
	blocks := make(v1.Blocks, 0, len(c.Blocks))
	for _, u := range acpmap.User(c.Blocks, "") {
		if chunk, ok := u.(*v1.MessageChunk); ok {
			blocks = append(blocks, chunk.Content)
		}
	}
	f.prompted = blocks
	f.give(Part{Prompt: blocks})
	return nil
}

// shows are the capabilities of a transcript's reader.
var shows = acpmap.Client{Notices: true}

func (f *fold) step(step normalize.Step) {
	if t := step.Tool; t != nil && !step.First && f.defers(step) {
		f.deferred[t] |= step.Changed
		return
	} else if t != nil {
		step.Changed |= f.deferred[t]
		delete(f.deferred, t)
	}
	var message v1.Blocks // a user's message during the turn
	for _, u := range acpmap.Map(step, shows) {
		if chunk, ok := u.(*v1.MessageChunk); ok && chunk.Kind == v1.UserMessage {
			message = append(message, chunk.Content)
			continue
		}
		f.give(Part{Update: asRead(u)})
	}
	if message != nil {
		f.give(Part{Prompt: message})
	}
	switch e := step.Event.(type) {
	case *agent.QuestionAsked:
		if e.Refusal == "" {
			c := *e
			f.asked = append(f.asked, &c)
		}
	case *agent.QuestionAnswered:
		f.answered(e.QuestionID, func(*agent.QuestionAsked) Question {
			return Question{Answer: e.Answer, Answered: !e.Cancelled}
		})
	}
	if step.End {
		f.unanswered()
		stop, err := acpmap.Stop(step.Event)
		end := &End{Stop: stop}
		if err != nil {
			end = &End{Failure: err.Error()}
			if e, ok := step.Event.(*agent.Error); ok && e.Error != "" {
				end.Failure = e.Error
			}
		}
		f.give(Part{End: end})
	}
}

// defers reports whether to defer an update of a running call. The update that ends the
// call contains everything, and output may arrive in many pieces.
func (f *fold) defers(step normalize.Step) bool {
	switch step.Event.(type) {
	case *agent.QuestionAsked, *agent.QuestionAnswered:
		return false
	}
	return !step.Tool.Status.Terminal()
}

// asRead converts integers in an update to float64, as in updates that were decoded from
// JSON.
func asRead(u v1.Update) v1.Update {
	call, ok := u.(*v1.ToolCallUpdate)
	if !ok {
		return u
	}
	for key, value := range call.Meta {
		if n, ok := value.(int); ok {
			call.Meta[key] = float64(n)
		}
	}
	return u
}

// interrupt ends a turn that has no end.
func (f *fold) interrupt() {
	const cutOff = "this turn was interrupted"
	if f.normalizer.Running() {
		f.normalizer.Fail(&agent.Error{Error: cutOff, Code: "interrupted", Base: agent.Base{TurnID: f.turn}}, f.step)
	}
	if f.running {
		f.running = false
		f.give(Part{End: &End{Failure: cutOff}})
	}
}

// command handles a command from the user.
func (f *fold) command(data []byte) error {
	var c struct {
		Type string `json:"type"`
	}
	if err := exactjson.Unmarshal(data, &c); err != nil {
		return err
	}
	switch c.Type {
	case agent.CommandConfirmation:
		var r agent.ConfirmationResponse
		if err := exactjson.Unmarshal(data, &r); err != nil {
			return err
		}
		f.give(Part{Decision: &Decision{r.ToolCallID, r.Decision, r.Reason}})
	case agent.CommandQuestion:
		var r agent.QuestionResponse
		if err := exactjson.Unmarshal(data, &r); err != nil {
			return err
		}
		f.answered(r.QuestionID, func(q *agent.QuestionAsked) Question {
			return Question{Answer: acpmap.AnswerText(q, &r), Answered: !r.Cancelled && !r.Declined}
		})
	}
	return nil
}

// answered yields the question with the given id. given returns its answer.
func (f *fold) answered(id string, given func(*agent.QuestionAsked) Question) {
	f.asked = slices.DeleteFunc(f.asked, func(q *agent.QuestionAsked) bool {
		if q.QuestionID != id {
			return false
		}
		answer := given(q)
		answer.Text = questionText(q)
		f.give(Part{Question: &answer})
		return true
	})
}

func (f *fold) unanswered() {
	for _, q := range f.asked {
		f.give(Part{Question: &Question{Text: questionText(q)}})
	}
	f.asked = nil
}

func questionText(q *agent.QuestionAsked) string {
	if strings.TrimSpace(q.Question) != "" {
		return q.Question
	}
	return q.Header
}
