package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// cost adds up the reported costs of requests, because the totals of a turn and
// of a session include them again.
type cost struct{ turn, session float64 }

func (k *cost) add(dollars float64) {
	k.turn += dollars
	k.session += dollars
}

// agentUsage decodes AgentUsage: the tokens of one request.
func agentUsage(c *conversation, l *dialect.Line) {
	usage := l.Object("usage")
	if usage == nil {
		usage = l.Fields
	}
	c.emit(l, tokens(usage))
}

// rowUsage decodes the tokens of one request of the conversation itself. Tokens
// of a sub-agent or a title, and sums over several requests, don't tell how full
// the context is.
func rowUsage(c *conversation, l *dialect.Line) {
	role := l.Key("role")
	if (role == "" || role == "main") && count(l.Fields, "turnCount", "turn_count") <= 1 {
		c.emit(l, tokens(l.Fields))
		return
	}
	telemetry(c, l)
}

// tokens converts a UsageInfo. Its input tokens exclude cached tokens.
func tokens(f *dialect.Fields) *agent.Usage {
	return &agent.Usage{
		InputTokens:         count(f, "inputTokens", "input_tokens"),
		OutputTokens:        count(f, "outputTokens", "output_tokens"),
		CacheReadTokens:     count(f, "cacheReadTokens", "cache_read_tokens"),
		CacheCreationTokens: count(f, "cacheCreationTokens", "cache_creation_tokens"),
	}
}

// usage converts the TokenUsage of one request, or returns nil if it is missing.
// Its prompt tokens include cached tokens.
func (c *conversation) usage(l *dialect.Line) *agent.Usage {
	u := l.Object("usage")
	if u == nil {
		return nil
	}
	e := &agent.Usage{
		InputTokens:      count(u, "promptTokens", "prompt_tokens"),
		OutputTokens:     count(u, "completionTokens", "completion_tokens"),
		CacheReadTokens:  count(u, "cachedTokens", "cached_tokens"),
		EstimatedCostUSD: max(dollars(u), 0),
	}
	if e.CacheReadTokens <= e.InputTokens {
		e.InputTokens -= e.CacheReadTokens
	}
	c.cost.add(e.EstimatedCostUSD)
	return e
}

func dollars(usage *dialect.Fields) float64 {
	return usage.Float("estimatedCostUsd", "estimated_cost_usd")
}

// settle emits the part of a total cost that was not counted yet.
func (c *conversation) settle(l *dialect.Line, total, counted float64) {
	if more := total - counted; more > 1e-9 {
		c.cost.add(more)
		c.emit(l, &agent.Usage{EstimatedCostUSD: more})
	}
}

// metricsUpdated only adds costs that were not counted yet; the rest is a
// repetition.
func metricsUpdated(c *conversation, l *dialect.Line) {
	c.settle(l, dollars(l.Object("current").Object("usage")), c.cost.session)
	telemetry(c, l)
}
