package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// piece is the text of a delta: "text" in Glue's own JSON, "delta" in the
// class.
func piece(f *fields) rawjson.String {
	if f.has("text") {
		return f.body("text")
	}
	return f.body("delta")
}

func agentText(c *conversation, f *fields) { c.emit(&agent.TextDelta{Text: piece(f)}) }

func agentThinking(c *conversation, f *fields) { c.emit(&agent.ThinkingDelta{Thinking: piece(f)}) }

// callPending decodes AgentToolCallPending, which not every provider makes Glue
// say (Ollama never does).
func callPending(c *conversation, f *fields) {
	id, name := f.text("id"), f.text("name")
	id = c.calls.begin(id, name, "")
	c.emit(&agent.ToolPending{ToolCallID: id, ToolName: name, View: view(name, nil)})
}

// callMade decodes AgentToolCall, whose members are those of "call" in the
// class. A signature of thoughts that it may carry is for the model alone.
func callMade(c *conversation, f *fields) {
	call := *f
	if o, ok := f.object("call"); ok {
		call = o
	}
	start(c, call.text("id"), call.text("name"), call.value("arguments"), "")
}

// start notes and yields a call that runs. Glue does not say when the person
// has allowed it.
func start(c *conversation, id, name string, args agent.Raw, kind string) {
	id = c.calls.begin(id, name, task(name, args))
	v := view(name, args)
	if v.Kind == "" {
		v.Kind = kind
	}
	c.emit(&agent.ToolStart{ToolCallID: id, ToolName: name, Args: args, View: v})
}

// task is what a call asks a sub-agent to do.
func task(name string, args agent.Raw) string {
	if name != toolSpawn {
		return ""
	}
	var ignored error
	if o, err := readFields(args, &ignored); err == nil {
		return o.text("task")
	}
	return ""
}

// agentUsage decodes AgentUsage: the tokens of one request.
func agentUsage(c *conversation, f *fields) {
	usage := *f
	if o, ok := f.object("usage"); ok {
		usage = o
	}
	c.emit(tokens(&usage))
}

// tokens reads a UsageInfo. Its input does not count what a cache gave; what a
// provider does not report is absent, and stays so.
func tokens(f *fields) *agent.Usage {
	return &agent.Usage{
		InputTokens:         f.count("input_tokens"),
		OutputTokens:        f.count("output_tokens"),
		CacheReadTokens:     f.count("cache_read_tokens"),
		CacheCreationTokens: f.count("cache_creation_tokens"),
	}
}

// agentError decodes AgentError, whose error is any Dart object.
func agentError(c *conversation, f *fields) {
	text := f.shown("error")
	if text == "" {
		text = f.shown("message")
	}
	if text == "" {
		text = "Glue failed and did not say why"
	}
	c.emit(&agent.Error{Error: text})
}

func agentDone(c *conversation, _ *fields) { c.done() }
