package wire

import (
	"cmp"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

func agentDone(c *conversation, l *dialect.Line) { c.done(l) }

// agentError decodes AgentError, whose error may be any Dart object.
func agentError(c *conversation, l *dialect.Line) {
	text := cmp.Or(words(l.Fields, "error"), words(l.Fields, "message"), "Glue failed without a reason")
	c.emit(l, &agent.Error{Error: text})
}

func turnStarted(c *conversation, l *dialect.Line) {
	provider, model := modelOf(l.Fields, "model")
	c.enter(l, l.Key("turnId", "turn_id"), provider, model)
}

// turnCompleted ends a turn, unless an ErrorEvent already ended it.
func turnCompleted(c *conversation, l *dialect.Line) {
	outcome := l.Key("outcome")
	c.settle(l, dollars(l.Object("usage")), c.cost.turn)
	if l.Has("usage") {
		telemetry(c, l) // the tokens of all requests in the turn
	}
	switch {
	case c.ended:
	case outcome == "completed" || outcome == "":
		c.done(l)
	case outcome == "interrupted":
		c.emit(l, &agent.Done{StopReason: agent.StopCancelled})
	default:
		c.emit(l, &agent.Error{Error: cmp.Or(c.failure, "the turn ended without success: "+outcome)})
	}
}

// sessionError decodes an error. An error that the agent recovers from does not
// end the turn.
func sessionError(c *conversation, l *dialect.Line) {
	e := &agent.Error{Error: words(l.Fields, "message"), Code: l.Key("category")}
	if l.Bool("recoverable") {
		no := false
		e.Fatal = &no
		c.failure = short(e.Error)
	}
	c.emit(l, e)
}
