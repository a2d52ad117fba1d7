package hostahp

import (
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/mapahp"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/ahp"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// An ask is a request of the agent for the user. Exactly one of permission and
// question is set.
type ask struct {
	session    *session
	up         *upstream
	of         *core.Ask
	turn       string
	permission *v1.RequestPermissionRequest
	question   *v1.ElicitationRequest
	key        string // the id of a question for clients, or of a tool call
	by         *dispatched
}

// dispatched is an action of a client that is not decided.
type dispatched struct {
	client  *client
	channel string
	seq     int64
	raw     []byte
	action  ahp.Action
}

// asked takes a request of the hub. The lock is held.
func (u *upstream) asked(of *core.Ask) {
	method, params := of.Method, of.Params
	k := &ask{up: u, of: of, session: u.sessions[of.Session]}
	s := k.session
	if s == nil || !s.chat.ready() || method != v1.MethodRequestPermission && method != v1.MethodElicitationCreate {
		k.cannot("%s cannot be shown", short(method))
		return
	}
	if method == v1.MethodRequestPermission {
		k.permission = new(v1.RequestPermissionRequest)
		if err := exactjson.Unmarshal(params, k.permission); err != nil {
			k.cannot("%w", err)
			return
		}
		k.key = k.permission.ToolCall.ToolCallID
	} else {
		k.question = new(v1.ElicitationRequest)
		if err := exactjson.Unmarshal(params, k.question); err != nil {
			k.cannot("%w", err)
			return
		}
		s.asked++
		k.key = "input-" + strconv.Itoa(s.asked)
	}
	s.speakAside()
	if !s.shown() || !k.show() {
		k.cannot("no turn is shown in which it could be asked")
		return
	}
	k.turn = s.running.turn
	u.asks[of] = k
	s.asks = append(s.asks, k)
}

// cannot says that the host's clients cannot answer. Other front ends may.
func (k *ask) cannot(format string, args ...any) {
	failure := rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeMethodNotFound, format, args...)))
	k.answer(core.Answer{Failure: failure})
}

// show asks the clients, and reports whether they can answer.
func (k *ask) show() bool {
	s := k.session
	needed := ahp.NeededInput{ID: k.needed(), Chat: s.chat.uri, TurnID: s.running.turn}
	if k.permission != nil {
		s.chat.say(nil, s.mapper.Ask(k.permission)...)
		call := s.chat.state.Call(k.key)
		if call == nil || call.Status != ahp.CallPending {
			return false // its call is over
		}
		copied := *call
		needed.Kind, needed.ToolCall = ahp.NeedsConfirmation, &copied
	} else {
		request, ok := mapahp.Question(k.key, k.question)
		if !ok {
			s.notice("The agent asks for something that cannot be answered here: " + k.question.Message)
			return false
		}
		s.chat.say(nil, s.mapper.Flush()...)
		s.chat.say(nil, &ahp.InputRequested{Request: request})
		needed.Kind, needed.Request, needed.TurnID = ahp.NeedsAnswer, &request, ""
	}
	s.overview.say(nil, &ahp.InputNeededSet{Request: needed})
	return true
}

func (k *ask) needed() string {
	if k.permission != nil {
		return "call-" + k.key
	}
	return k.key
}

// askOf is what a client answers.
func (s *session) askOf(key string, permission bool) *ask {
	i := slices.IndexFunc(s.asks, func(k *ask) bool { return k.key == key && (k.permission != nil) == permission })
	if i < 0 {
		return nil
	}
	return s.asks[i]
}

// over takes the ask away.
func (k *ask) over() {
	s := k.session
	delete(k.up.asks, k.of)
	s.asks = slices.DeleteFunc(s.asks, func(o *ask) bool { return o == k })
	s.overview.say(nil, &ahp.InputNeededRemoved{ID: k.needed()})
	if s.running != nil && s.running.aside {
		s.speakAside() // it may end now
	}
}

// reply answers the hub. by is the client that has answered; nil is for the host itself.
func (k *ask) reply(by *client, result any) {
	answer := core.Answer{Result: rawmsg.Encode(result)}
	if by != nil {
		who := by.frontEnd()
		answer.By = &who
	}
	k.answer(answer)
}

func (k *ask) answer(answer core.Answer) {
	k.up.post(func(core.Source) { k.of.Reply(answer) })
}

// cancel answers that the user has stopped the turn.
func (k *ask) cancel() {
	if k.permission != nil {
		k.reply(nil, v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeCancelled}})
	} else {
		k.reply(nil, v1.ElicitationResponse{Action: v1.ElicitCancel})
	}
	k.reject("the turn was stopped")
	k.over()
}

// withdrawn takes back what is not asked any more: the agent does not want to know,
// or somebody else has answered a question.
func (k *ask) withdrawn() {
	s := k.session
	k.reject("somebody else has answered, or the agent has withdrawn it")
	if s.chat.isActive(k.turn) {
		if k.permission != nil {
			s.chat.say(nil, s.mapper.Chosen(k.permission, "")...)
		} else {
			s.chat.say(nil, &ahp.InputCompleted{RequestID: k.key, Response: ahp.Cancel})
		}
	}
	k.over()
}

// reject sends the client's answer back, where there is one.
func (k *ask) reject(reason string) {
	if k.by != nil {
		k.by.reject(reason)
		k.by = nil
	}
}

// askAgain asks a question anew, and says what was wrong with the answer: VS Code shows
// a request once, whatever becomes of the answer.
func (k *ask) askAgain(wrong error) {
	s := k.session
	s.chat.say(nil, &ahp.InputCompleted{RequestID: k.key, Response: ahp.Cancel})
	s.overview.say(nil, &ahp.InputNeededRemoved{ID: k.needed()})
	s.asked++
	k.key = "input-" + strconv.Itoa(s.asked)
	request, _ := mapahp.Question(k.key, k.question)
	request.Message += " (" + wrong.Error() + ")"
	s.chat.say(nil, &ahp.InputRequested{Request: request})
	s.overview.say(nil, &ahp.InputNeededSet{Request: ahp.NeededInput{ID: k.needed(), Chat: s.chat.uri, Kind: ahp.NeedsAnswer, Request: &request}})
}

// confirm takes a client's answer to a request for permission. It counts once the
// hub says that it was the first.
func (s *session) confirm(d *dispatched, a *ahp.ToolCallConfirmed) error {
	k := s.askOf(a.ToolCallID, true)
	switch {
	case k == nil || k.turn != a.TurnID:
		return sentenceError("nobody asks about this tool call any more")
	case k.by != nil:
		return sentenceError("the tool call is being answered")
	case a.EditedToolInput != "":
		return sentenceError("the agent takes no other input")
	}
	outcome, ok := mapahp.Decide(k.permission, a)
	if !ok {
		return sentenceError("the option does not fit what was offered")
	}
	k.by = d
	k.reply(d.client, v1.RequestPermissionResponse{Outcome: outcome})
	return nil
}

// frontEnd says who the client is, for the audit.
func (c *client) frontEnd() consent.FrontEnd {
	who := c.from
	who.Name, who.Client = c.name, c.id
	return who
}

// resolved takes what the hub says of an answer: whose counts, and what it is.
func (s *session) resolved(call, by, option string) {
	k := s.askOf(call, true)
	if k == nil {
		return
	}
	if a, is := k.answerOf(by == s.self); is {
		s.mapper.Confirmed(call, a.Approved)
		d := k.by
		k.by = nil
		s.chat.say(d.origin(), a)
	} else {
		k.reject("somebody else has answered first")
		s.chat.say(nil, s.mapper.Chosen(k.permission, option)...)
	}
	k.over()
}

// answerOf is the client's answer, if it is that which counts.
func (k *ask) answerOf(ours bool) (*ahp.ToolCallConfirmed, bool) {
	if !ours || k.by == nil {
		return nil, false
	}
	a, is := k.by.action.(*ahp.ToolCallConfirmed)
	return a, is
}

// complete takes a client's answer to a question.
func (s *session) complete(d *dispatched, a *ahp.InputCompleted) error {
	k := s.askOf(a.RequestID, false)
	if k == nil {
		return sentenceError("nobody asks this any more")
	}
	answers := a.Answers
	if request := s.chat.state.Asked(k.key); request != nil && len(answers) == 0 {
		answers = request.Answers // what was drafted is what is sent
	}
	answer, err := mapahp.Answer(k.question, a.Response, answers)
	if err != nil {
		d.reject(err.Error())
		k.askAgain(err)
		return nil
	}
	k.reply(d.client, answer)
	s.chat.say(d.origin(), a)
	k.over()
	return nil
}
