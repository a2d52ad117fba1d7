package process

import (
	"context"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// serve hands over what the child prints, and says when it has ended.
func (r *run) serve() {
	s := r.session
	// The run ends with its child, so there is nothing else to end it.
	err := dialect.Each(context.Background(), r.child.Stdout(), s.config.Dialect.NewDecoder(), s.options.Log, func(b agent.Batch) bool {
		r.hand(b)
		return true
	})
	if err != nil {
		s.options.Log.Warn("cannot read from the agent", "error", err)
	}
	r.end()
	// A child that lives on without its stdout can say nothing more.
	status := r.child.Stop(context.Background())
	r.commands.drop()
	r.gate.pass(agent.One{Event: r.obituary(status)}, s.events)
	r.child.Close()
}

// hand hands b over, or drops it where the turn was abandoned.
func (r *run) hand(b agent.Batch) {
	l := &loan{Batch: b, back: make(chan struct{})}
	if r.gate.pass(l, r.session.events) {
		r.lent = l
		return
	}
	if turn, unheard := r.abandonedTurn(); unheard && r.decodable() && r.ends(turn, b) {
		r.rest(turn)
	}
	b.Release()
}

// decodable waits until the last batch has come back, for all share a decoder.
// It tells whether looking into a batch is of use.
func (r *run) decodable() bool {
	if r.lent != nil {
		select {
		case <-r.lent.back:
		case <-r.silent:
		}
	}
	select {
	case <-r.silent:
		return false
	default:
		return true
	}
}

// ends reports whether turn ends in b. What is asked there nobody hears, and so
// it is refused.
func (r *run) ends(turn string, b agent.Batch) bool {
	for e := range b.Events() {
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			r.session.Confirm(agent.ConfirmationResponse{
				SessionID: r.session.options.SessionID, TurnID: turn,
				ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID,
				Decision: agent.NotDecided, Reason: reasonAbandoned,
			})
		case *agent.QuestionAsked:
			r.session.Answer(agent.QuestionResponse{
				SessionID: r.session.options.SessionID, TurnID: turn, QuestionID: e.QuestionID,
				Cancelled: true, Reason: reasonAbandoned,
			})
		}
		if of := e.Common().TurnID; of != "" && of != turn {
			continue
		}
		switch e := e.(type) {
		case *agent.Done:
			return true
		case *agent.Error:
			if e.Fatal == nil || *e.Fatal {
				return true
			}
		}
	}
	return false
}
