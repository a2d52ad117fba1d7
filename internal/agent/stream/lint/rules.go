package lint

// A Rule describes one kind of mistake.
type Rule struct {
	ID       string
	Severity Severity // usual severity of its findings
	Means    string   // what is wrong, in one sentence
	Cure     string   // how to fix it
	See      string   // a document in docs/, with an anchor
}

// Sections of the documentation.
const (
	seeLines    = "write-an-agent.md#when-something-is-wrong"
	seeEvents   = "events.md#native-events"
	seeRules    = "events.md#what-the-editor-shows"
	seeCommands = "write-an-agent.md#commands"
	seeSteer    = "commands-and-events.md#messages-during-a-turn"
	seeACP      = "agents.md#any-acp-agent"
	seeKnown    = "agents.md#common-agents"
)

var rules = []Rule{
	{"not-json", Error, "The line is not JSON.", "Print only events to stdout, and messages for people to stderr.", seeLines},
	{"bad-json", Error, "The line starts like a JSON object, but is invalid.", "Create the JSON with a library, and print one object per line.", seeLines},
	{"pretty-json", Error, "A JSON object spans several lines.", "Print one object per line, without indentation or line breaks.", seeLines},
	{"json-array", Error, "The line is a JSON array.", "Print each event on a separate line, without brackets or commas around it.", seeLines},
	{"not-an-object", Error, "The line is JSON, but not an object.", "Print each event as an object with a type.", seeLines},
	{"no-type", Error, "The object has no type.", "Give each event a type, as a string.", seeEvents},
	{"utf16", Error, "The output is UTF-16.", "Write UTF-8.", seeLines},
	{"too-long", Error, "The line is longer than 32 MiB.", "Send large results in parts, or refer to a file.", seeLines},
	{"bom", Warning, "The output begins with a byte-order mark.", "Write UTF-8 without it.", seeLines},
	{"sse-data-prefix", Warning, "The lines are server-sent events.", "Print only the JSON, without data: before it.", seeLines},
	{"not-utf8", Warning, "The line is not valid UTF-8. The invalid bytes were replaced.", "Write UTF-8.", seeLines},
	{"crlf", Note, "The lines end with a carriage return and a line feed.", "No action needed: Turnwire accepts such lines.", seeLines},

	{"unknown-event", Error, "The event has an unknown type.", "Use a type from the list of events.", seeEvents},
	{"malformed-event", Error, "A member's value has the wrong type. The event was skipped.", "Use a value of the right type.", seeEvents},
	{"wrong-member", Error, "The event's content is in a member with the wrong name.", "Rename the member.", seeEvents},
	{"missing-member", Error, "A required member is missing.", "Add it.", seeEvents},
	{"misspelt-member", Warning, "A member's name is probably a misspelt known name.", "Use the known name. Names are case-sensitive.", seeEvents},
	{"unknown-value", Warning, "The member has an unknown value.", "Use one of the known values.", seeEvents},

	{"end-without-start", Warning, "A tool call ended or sent output before it started.", "Send tool_start with the same toolCallId first.", seeRules},
	{"call-not-ended", Warning, "A tool call was still open when its turn ended.", "Send tool_end for each call.", seeRules},
	{"ended-twice", Warning, "A tool call ended twice.", "Send one tool_end for each call, and use a new toolCallId for each new call.", seeRules},
	{"started-twice", Warning, "A running tool call was started again.", "Give each call a unique toolCallId.", seeRules},
	{"bad-arguments", Warning, "The pieces of a call's arguments don't form valid JSON.", "Send the complete JSON text, in order, as the model writes it.", seeRules},
	{"bad-options", Error, "A permission request has invalid options, so it is refused without asking the user.", "Give each option a unique id and a kind.", seeRules},
	{"event-after-done", Error, "An event came after the end of its turn.", "Print done or error as the last event of a turn.", seeRules},
	{"event-before-prompt", Warning, "An event of a turn came before the first prompt.", "Wait for the prompt command. To introduce the agent, use agent_info.", seeCommands},
	{"wrong-turn", Error, "The event belongs to a turn that is not running, and is dropped.", "Repeat the prompt's turnId, or omit it.", seeRules},
	{"no-done", Error, "The turn did not end.", "Print done or error as the last event of each turn.", seeRules},
	{"empty-turn", Warning, "The turn ended without showing anything.", "Print at least one text_delta.", seeRules},

	{Silent, Note, "The agent printed nothing for three seconds after the prompt, or after `initialize`.", "Unless it is just slow: read stdin line by line, not to its end, and flush stdout after each line.", seeLines},
	{"not-flushed", Error, "The output only arrived after stdin was closed.", "Read stdin line by line, not to its end, and flush stdout after each line: print(…, flush=True), fflush(stdout).", seeLines},
	{Echo, Error, "The program repeats its input.", "Check the command after --: an agent prints only events.", seeCommands},
	{SpeaksACP, Error, "The program speaks the Agent Client Protocol instead of printing events.", "Use --agent acp, or --acp with turnwire check.", seeACP},
	{NoACP, Error, "The program prints events instead of speaking the Agent Client Protocol.", "Remove --agent acp, or --acp with turnwire check.", seeACP},
	{StreamJSON, Error, "The program prints Claude Code's stream-json.", "Use --agent claude.", seeKnown},
	{OtherAgent, Error, "The program is an agent, but not one that prints events.", "Use --agent with its name.", seeKnown},
	{OnStderr, Error, "The program prints its events to stderr.", "Print events to stdout, and messages for people to stderr.", seeLines},
	{"no-answer", Error, "The agent did not end the turn in time.", "Print done at the end of each turn.", seeCommands},
	{"cancel-ignored", Error, "The agent did not end a cancelled turn.", "Read stdin during the turn, and end the turn with done and the stopReason cancelled.", seeCommands},
	{"cancel-unsaid", Warning, "A cancelled turn ended with a stop reason other than cancelled.", "End it with done and the stopReason cancelled.", seeCommands},
	{"steered-unknown", Error, "A steered event names no message that the agent was sent.", "Copy the steerId from the steer command.", seeSteer},
	{"refusal-unread", Error, "The agent ran a refused tool call.", "Run a tool only if the decision is allow_once or allow_always.", seeCommands},
	{"not-started", Error, "The command could not be started.", "Check the path, and that the file is executable.", seeCommands},
	{"exited", Error, "The agent exited during a turn.", "See the end of its stderr.", seeCommands},
	{"bad-exit", Warning, "The agent failed after the end of stdin.", "Exit with 0 when stdin ends.", seeCommands},
	{"does-not-end", Error, "The agent did not exit after the end of stdin.", "Exit when stdin ends.", seeCommands},
	{"unchecked", Note, "A step was not checked, because the agent gave no opportunity for it.", "Optional: use --prompt to give the agent a suitable prompt.", seeCommands},
}

// Rules lists all rules, in the order of the documentation, without the ACP
// rules.
func Rules() []Rule { return rules }

// New returns a finding with the rule's severity and fix.
func New(rule, message string) Finding {
	for i := range rules {
		if r := &rules[i]; r.ID == rule {
			return Finding{Rule: rule, Severity: r.Severity, Message: message, Help: r.Cure}
		}
	}
	return Finding{Rule: rule, Severity: Error, Message: message}
}

// about returns a finding with its own subject, and its own fix if help is
// not empty.
func about(rule, subject, message, help string) Finding {
	f := New(rule, message)
	f.Subject = subject
	if help != "" {
		f.Help = help
	}
	return f
}
