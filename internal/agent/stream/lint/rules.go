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
)

var rules = []Rule{
	{"not-json", Error, "The line is not JSON.", "Print events alone on stdout, and what is for people on stderr.", seeLines},
	{"bad-json", Error, "The line begins as a JSON object, and is not a valid one.", "Make JSON with a library, and print one object a line.", seeLines},
	{"pretty-json", Error, "A JSON object goes over several lines.", "Print one object a line: no indentation, no line break within it.", seeLines},
	{"json-array", Error, "The line is a JSON array.", "Print each event as a line of its own, without brackets and commas around them.", seeLines},
	{"not-an-object", Error, "The line is JSON, but no object.", "An event is an object with a type.", seeLines},
	{"no-type", Error, "The object has no type.", "Give each event a type, a string.", seeEvents},
	{"utf16", Error, "The output is UTF-16.", "Write UTF-8.", seeLines},
	{"too-long", Error, "The line is longer than 32 MiB.", "Send large results in parts, or name a file.", seeLines},
	{"bom", Warning, "The output begins with a byte-order mark.", "Write UTF-8 without one.", seeLines},
	{"sse-data-prefix", Warning, "The lines are server-sent events.", "Print the JSON alone, without data: before it.", seeLines},
	{"not-utf8", Warning, "The line is not valid UTF-8; what is not was replaced.", "Write UTF-8.", seeLines},
	{"crlf", Note, "The lines end with a carriage return and a line feed.", "Nothing: it is read all the same.", seeLines},

	{"unknown-event", Error, "There is no event of this type.", "Use one of the types in the list.", seeEvents},
	{"malformed-event", Error, "A member of the event has a value of the wrong kind; the event was skipped.", "Give the member a value of its kind.", seeEvents},
	{"wrong-member", Error, "The event has what it says in a member that it does not have.", "Use the member that it has.", seeEvents},
	{"missing-member", Error, "A member that is required is missing.", "Add it.", seeEvents},
	{"misspelt-member", Warning, "The event has a member that is nearly one that it has.", "Use the name that it has; names are exact, also in their case.", seeEvents},
	{"unknown-value", Warning, "The value is none of those that are known for the member.", "Use one of those.", seeEvents},

	{"end-without-start", Warning, "A tool call ends, or has output, that has not begun.", "Send tool_start with the same toolCallId before.", seeRules},
	{"call-not-ended", Warning, "A tool call has not ended when its turn does.", "Send tool_end for each call.", seeRules},
	{"ended-twice", Warning, "A tool call ends a second time.", "Send one tool_end for each call, and a new toolCallId for each new call.", seeRules},
	{"started-twice", Warning, "A tool call that runs is started again.", "Give each call a toolCallId of its own.", seeRules},
	{"bad-arguments", Warning, "The pieces of a call's arguments are not JSON together.", "Send the JSON text as the model writes it, all of it, in order.", seeRules},
	{"bad-options", Error, "The options of a confirmation cannot be offered, so it is refused unasked.", "Give each option an id of its own and a kind.", seeRules},
	{"event-after-done", Error, "An event of the turn comes after the turn's end.", "Print done, or error, as the last event of a turn.", seeRules},
	{"event-before-prompt", Warning, "An event of a turn comes before the first prompt.", "Wait for the command prompt; say what the agent is with agent_info.", seeCommands},
	{"wrong-turn", Error, "The event names another turn than the one that runs, and is dropped.", "Repeat the turnId of the prompt, or leave it out.", seeRules},
	{"no-done", Error, "The turn has no end.", "Print done, or error, as the last event of each turn.", seeRules},
	{"empty-turn", Warning, "The turn ends and has shown nothing.", "Print at least a text_delta.", seeRules},

	{"silent", Note, "Nothing has come for three seconds since the prompt.", "If the agent has printed something, flush stdout after each line.", seeLines},
	{"not-flushed", Error, "What was printed came only when stdin was closed.", "Flush stdout after each line: print(…, flush=True), fflush(stdout).", seeLines},
	{"no-answer", Error, "The agent did not end the turn in time.", "Print done at the end of each turn.", seeCommands},
	{"cancel-ignored", Error, "The agent did not end a turn that was cancelled.", "Read stdin while the turn runs, and end the turn with done and stopReason cancelled.", seeCommands},
	{"cancel-unsaid", Warning, "A cancelled turn ended with another stop reason than cancelled.", "End it with done and stopReason cancelled.", seeCommands},
	{"refusal-unread", Error, "The agent went on with a tool call that was refused.", "Run a tool only where decision is allow_once or allow_always.", seeCommands},
	{"not-started", Error, "The command cannot be started.", "Is the path right, and is it executable?", seeCommands},
	{"exited", Error, "The agent ended in the middle of a turn.", "See the end of its stderr.", seeCommands},
	{"bad-exit", Warning, "The agent did not end well after the end of stdin.", "Exit with 0 when stdin ends.", seeCommands},
	{"does-not-end", Error, "The agent did not end after the end of stdin.", "Exit when stdin ends: nobody will speak to the agent any more.", seeCommands},
	{"unchecked", Note, "A part was not checked, because the agent gave no occasion for it.", "Nothing; or give the agent a prompt that leads there, with --prompt.", seeCommands},
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
