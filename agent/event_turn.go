package agent

// RunStart starts a turn.
type RunStart struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	Source   string `json:"source,omitempty"`
	TraceID  string `json:"traceId,omitempty"`
	Base
}

// ContextMeta describes what was added to the prompt's context.
type ContextMeta struct {
	Data Raw `json:"data,omitempty"`
	Base
}

// StepStart starts one round with the model.
type StepStart struct {
	StepID string `json:"stepId,omitempty"`
	Base
}

// StepEnd ends a round with the model.
type StepEnd struct {
	StepID string `json:"stepId,omitempty"`
	Base
}

// Usage counts the tokens of one request to the model, and reports its cost.
type Usage struct {
	InputTokens         int64   `json:"inputTokens" jsonschema:"minimum=0,description=Input tokens, except those read from a cache."`
	OutputTokens        int64   `json:"outputTokens" jsonschema:"minimum=0"`
	EstimatedCostUSD    float64 `json:"estimatedCostUsd" jsonschema:"minimum=0,description=The cost of this request in US dollars."`
	CacheReadTokens     int64   `json:"cacheReadTokens,omitempty" jsonschema:"minimum=0"`
	CacheCreationTokens int64   `json:"cacheCreationTokens,omitempty" jsonschema:"minimum=0"`
	ContextWindow       int64   `json:"contextWindow,omitempty" jsonschema:"minimum=0,description=The model's context size in tokens. Editors show usage only if it is known."`
	Base
}

// Halt reports that the agent stopped itself, because of a budget or a
// watcher. It does not end the turn.
type Halt struct {
	Kind     string `json:"kind,omitempty"`
	Rule     string `json:"rule,omitempty"`
	ToolName string `json:"toolName,omitempty"`
	Count    int64  `json:"count,omitempty"`
	Message  string `json:"message"`
	Base
}

// A PlannedCall is a tool call that a dry run would have made.
type PlannedCall struct {
	ToolCallID string `json:"toolCallId,omitempty"`
	ToolName   string `json:"toolName"`
	Args       Raw    `json:"args,omitempty"`
}

// DryRunSummary lists what a dry run would have done.
type DryRunSummary struct {
	Plan   []PlannedCall `json:"plan"`
	Capped int64         `json:"capped,omitempty"`
	Base
}

// An EvaluatorResult is the verdict of one evaluator.
type EvaluatorResult struct {
	Name   string   `json:"name"`
	Pass   bool     `json:"pass"`
	Reason string   `json:"reason,omitempty"`
	Score  *float64 `json:"score,omitempty"`
}

// EvaluatorsComplete reports the evaluators' verdicts on a turn.
type EvaluatorsComplete struct {
	Results []EvaluatorResult `json:"results"`
	Base
}

// Error is a failure. It ends the turn unless Fatal is false.
type Error struct {
	Error string `json:"error"`
	Code  string `json:"code,omitempty" jsonschema:"description=An error code for programs. Codes such as unauthorized make the editor offer a login."`
	Fatal *bool  `json:"fatal,omitempty" jsonschema:"description=If false, the turn continues. Default: true."`
	Base
}

// StopReason says why a turn ended.
type StopReason string

// The reasons why a turn ends.
const (
	StopEndTurn         StopReason = "end_turn"
	StopMaxTokens       StopReason = "max_tokens"
	StopMaxTurnRequests StopReason = "max_turn_requests"
	StopRefusal         StopReason = "refusal"
	StopCancelled       StopReason = "cancelled"
)

// Done ends a turn. Text is the complete answer; the part of it that was not
// streamed is shown.
type Done struct {
	Text       string     `json:"text"`
	TurnCount  int64      `json:"turnCount,omitempty"`
	TraceID    string     `json:"traceId,omitempty"`
	StopReason StopReason `json:"stopReason,omitempty" jsonschema:"enum=end_turn,enum=max_tokens,enum=max_turn_requests,enum=refusal,enum=cancelled,description=Default: end_turn."`
	Base
}

// Unknown is an event of an undefined type. It is passed on unchanged.
type Unknown struct {
	Name string `json:"-"` // the value of "type"
	Raw  Raw    `json:"-"` // the whole object
	Base
}

// Type implements [Event].
func (*RunStart) Type() string { return "run_start" }

// Type implements [Event].
func (*ContextMeta) Type() string { return "context_meta" }

// Type implements [Event].
func (*StepStart) Type() string { return "step_start" }

// Type implements [Event].
func (*StepEnd) Type() string { return "step_end" }

// Type implements [Event].
func (*Usage) Type() string { return "usage" }

// Type implements [Event].
func (*Halt) Type() string { return "halt" }

// Type implements [Event].
func (*DryRunSummary) Type() string { return "dry_run_summary" }

// Type implements [Event].
func (*EvaluatorsComplete) Type() string { return "evaluators_complete" }

// Type implements [Event].
func (*Error) Type() string { return "error" }

// Type implements [Event].
func (*Done) Type() string { return "done" }

// Type implements [Event].
func (u *Unknown) Type() string { return u.Name }
