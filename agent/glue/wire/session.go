package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// sessionUserMessage begins a turn where nothing has said so yet. The bytes of
// attachments go no further.
func sessionUserMessage(c *conversation, f *fields) {
	c.enter(f.text("turn_id"), "", "")
	data := rawjson.AppendString([]byte(`{"text":`), f.text("text"))
	c.emit(&agent.Telemetry{Name: "UserMessageEvent", Data: append(data, '}')})
}

func turnStarted(c *conversation, f *fields) {
	provider, model := f.model("model")
	c.enter(f.text("turn_id"), provider, model)
}

// chunk decodes a piece of what the model says. A piece of arguments names no
// call, and the call repeats it when it starts.
func chunk(c *conversation, f *fields) {
	delta := f.body("delta")
	switch kind := f.text("kind"); kind {
	case "text", "":
		c.said.add(delta)
		c.emit(&agent.TextDelta{Text: delta})
	case "thinking":
		c.thinks = true
		c.emit(&agent.ThinkingDelta{Thinking: delta})
	default:
		telemetry(c, f)
	}
}

// wholeMessage repeats the chunks of a message, and brings what they did not.
func wholeMessage(c *conversation, f *fields) {
	rest, apart := c.said.rest(f.body("text").Clean())
	c.said.reset()
	if apart {
		c.emit(&agent.MessageEnd{})
	}
	if len(rest) > 0 {
		c.emit(&agent.TextDelta{Text: rest})
	}
	c.emit(&agent.MessageEnd{})
	sessionUsage(c, f)
}

func thinkingStarted(c *conversation, _ *fields) {
	c.thinks = false
	c.emit(&agent.MessageStart{})
}

// thinkingCompleted shows the summary where the thoughts themselves were not
// shown. The usage is part of the message's.
func thinkingCompleted(c *conversation, f *fields) {
	if summary := f.body("summary"); len(summary) > 0 && !c.thinks {
		c.emit(&agent.ThinkingDelta{Thinking: summary})
	}
	c.thinks = false
	c.emit(&agent.MessageEnd{})
	if f.has("usage") {
		telemetry(c, f)
	}
}

// sessionUsage decodes the TokenUsage of one request, whose prompt counts what
// the cache gave.
func sessionUsage(c *conversation, f *fields) {
	u, ok := f.object("usage")
	if !ok {
		return
	}
	e := &agent.Usage{InputTokens: u.count("prompt_tokens"), OutputTokens: u.count("completion_tokens"), CacheReadTokens: u.count("cached_tokens")}
	if e.CacheReadTokens <= e.InputTokens {
		e.InputTokens -= e.CacheReadTokens
	}
	if dollars, _ := u.number("estimated_cost_usd"); dollars > 0 {
		e.EstimatedCostUSD = dollars
		c.cost.add(dollars)
	}
	c.emit(e)
}

// settle yields what a total costs beyond what was counted of it.
func settle(c *conversation, f *fields, counted float64) {
	u, ok := f.object("usage")
	if !ok {
		return
	}
	total, _ := u.number("estimated_cost_usd")
	if more := total - counted; more > 1e-9 {
		c.cost.add(more)
		c.emit(&agent.Usage{EstimatedCostUSD: more})
	}
}

// turnCompleted ends a turn. A failure was told by an ErrorEvent, or is told
// here.
func turnCompleted(c *conversation, f *fields) {
	settle(c, f, c.cost.turn)
	if f.has("usage") {
		telemetry(c, f) // the tokens of all requests of the turn
	}
	if c.ended {
		return
	}
	switch outcome := f.text("outcome"); outcome {
	case "completed", "":
		c.done()
	case "interrupted":
		c.emit(&agent.Done{StopReason: agent.StopCancelled})
	default:
		text := c.failure
		if text == "" {
			text = "the turn ended without success: " + outcome
		}
		c.emit(&agent.Error{Error: text})
	}
}

// sessionError decodes an error. One that the agent recovers from ends nothing.
func sessionError(c *conversation, f *fields) {
	e := &agent.Error{Error: f.shown("message"), Code: f.text("category")}
	if recoverable, _ := f.flag("recoverable"); recoverable {
		no := false
		e.Fatal = &no
		c.failure = short(e.Error)
	}
	c.emit(e)
}

// metricsUpdated repeats what was counted, but for costs that were not.
func metricsUpdated(c *conversation, f *fields) {
	if current, ok := f.object("current"); ok {
		settle(c, &current, c.cost.session)
	}
	telemetry(c, f)
}
