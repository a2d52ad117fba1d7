# Generated from schema/agent-event.schema.json and schema/agent-command.schema.json. Do not edit.
"""The events that an agent prints, and the commands that it reads."""

from typing import Any, Dict, List, Literal, TypedDict, Union

Audience = Literal["user", "internal", "dashboard"]
CompactionStatus = Literal["in_progress", "completed", "failed", "cancelled"]
ConfigOptionKind = Literal["select", "boolean"]
ConfirmationOptionKind = Literal["allow_once", "allow_always", "reject_once", "reject_always"]
ContentType = Literal["text", "image", "audio", "resource_link", "resource"]
Decision = Literal["allow_once", "allow_always", "reject_once", "reject_always", "cancelled"]
EditorAction = Literal["read_file", "write_file", "create_terminal", "terminal_output", "wait_for_terminal", "kill_terminal", "release_terminal"]
FieldFormat = Literal["email", "uri", "date", "date-time"]
FieldType = Literal["string", "number", "integer", "boolean", "choice", "choices"]
NoticeSeverity = Literal["info", "warning", "error"]
OutputStream = Literal["stdout", "stderr"]
PlanEntryPriority = Literal["high", "medium", "low"]
PlanEntryStatus = Literal["pending", "in_progress", "completed", "cancelled"]
StopReason = Literal["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]
ToolKind = Literal["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]
Role = Literal["user", "agent"]
SystemPromptMode = Literal["append", "override"]


class _AgentInfoEvent(TypedDict):
    type: Literal["agent_info"]


class AgentInfoEvent(_AgentInfoEvent, total=False):
    """What the agent is and can do; best as the first line that it prints. The agent is told of its session then, with the command session."""

    # The agent's name for users.
    name: str
    version: str
    # What prompts may hold beside text and links. Absent: nothing.
    prompt: "PromptTakes"
    # Present if the agent uses the MCP servers that it is told of. Absent: the user is told that nothing uses them.
    mcp: "MCPTakes"
    # Present if the agent adds instructions of the editor to its own: session has them then.
    systemPrompt: "SystemPromptTakes"
    # The same as mode_changed says.
    modes: "ModeState"
    # The same as model_changed says.
    models: "ModelState"
    # The same as config_options says.
    options: List["ConfigOption"]
    # The same as available_commands says.
    commands: List["SlashCommand"]
    # The agent keeps its conversations, and goes on with the one of a sessionId where session says resume. It is given the state of its last state event.
    resume: bool
    # The agent keeps nothing, and reads in a prompt's history what was said before.
    history: bool
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _RunStartEvent(TypedDict):
    type: Literal["run_start"]


class RunStartEvent(_RunStartEvent, total=False):
    """The turn begins, with this provider and model."""

    provider: str
    model: str
    source: str
    traceId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ContextMetaEvent(TypedDict):
    type: Literal["context_meta"]


class ContextMetaEvent(_ContextMetaEvent, total=False):
    """What was put into the prompt's context."""

    data: Any
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _TextDeltaEvent(TypedDict):
    type: Literal["text_delta"]
    text: str


class TextDeltaEvent(_TextDeltaEvent, total=False):
    """A piece of the answer."""

    # Pieces of one message share it. Optional.
    messageId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ThinkingDeltaEvent(TypedDict):
    type: Literal["thinking_delta"]
    thinking: str


class ThinkingDeltaEvent(_ThinkingDeltaEvent, total=False):
    """A piece of the agent's thoughts."""

    messageId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ContentEvent(TypedDict):
    type: Literal["content"]
    content: "ContentBlock"


class ContentEvent(_ContentEvent, total=False):
    """An image, audio, a link or an embedded resource as a part of the answer."""

    messageId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _CitationEvent(TypedDict):
    type: Literal["citation"]
    # Where the source is. Editors show http and https and file as links.
    uri: str


class CitationEvent(_CitationEvent, total=False):
    """A source of what the answer says, shown as a link in it."""

    # What the link says. Absent: the uri.
    title: str
    messageId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _UserMessageEvent(TypedDict):
    type: Literal["user_message"]


class UserMessageEvent(_UserMessageEvent, total=False):
    """A message of the user that no prompt has had, such as one that was typed elsewhere."""

    text: str
    # What follows the text, or takes its place.
    content: List["ContentBlock"]
    messageId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _MessageStartEvent(TypedDict):
    type: Literal["message_start"]


class MessageStartEvent(_MessageStartEvent, total=False):
    """A new message begins."""

    messageId: str
    role: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _MessageEndEvent(TypedDict):
    type: Literal["message_end"]


class MessageEndEvent(_MessageEndEvent, total=False):
    """The message is complete."""

    messageId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolPendingEvent(TypedDict):
    type: Literal["tool_pending"]
    toolCallId: str
    toolName: str


class ToolPendingEvent(_ToolPendingEvent, total=False):
    """The model has begun to write a tool call."""

    # The call (of a sub-agent) that this one belongs to.
    parentToolCallId: str
    # One line for people, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The changes that the call makes or has made.
    diffs: List["FileDiff"]
    # A terminal that the agent has created with editor_request: the editor shows it in the call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolArgsDeltaEvent(TypedDict):
    type: Literal["tool_args_delta"]
    toolCallId: str
    delta: str


class ToolArgsDeltaEvent(_ToolArgsDeltaEvent, total=False):
    """A piece of the call's arguments as JSON text."""

    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolReadyEvent(TypedDict):
    type: Literal["tool_ready"]
    toolCallId: str
    toolName: str


class ToolReadyEvent(_ToolReadyEvent, total=False):
    """The call is complete and waits to run."""

    args: Any
    parentToolCallId: str
    # One line for people, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The changes that the call makes or has made.
    diffs: List["FileDiff"]
    # A terminal that the agent has created with editor_request: the editor shows it in the call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolStartEvent(TypedDict):
    type: Literal["tool_start"]
    toolCallId: str
    toolName: str


class ToolStartEvent(_ToolStartEvent, total=False):
    """The tool runs."""

    args: Any
    audience: "Audience"
    parentToolCallId: str
    # One line for people, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The changes that the call makes or has made.
    diffs: List["FileDiff"]
    # A terminal that the agent has created with editor_request: the editor shows it in the call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolProgressEvent(TypedDict):
    type: Literal["tool_progress"]
    message: str


class ToolProgressEvent(_ToolProgressEvent, total=False):
    """The progress of the tool."""

    # Optional: without it the progress belongs to the only running call of that name.
    toolCallId: str
    toolName: str
    percent: float
    # Absent means internal: not shown.
    audience: "Audience"
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolOutputEvent(TypedDict):
    type: Literal["tool_output"]
    toolCallId: str
    text: str


class ToolOutputEvent(_ToolOutputEvent, total=False):
    """A piece of the tool's output."""

    stream: "OutputStream"
    # The text replaces the output so far.
    replace: bool
    # A terminal that the agent has created with editor_request: the editor shows it in the call. The text may be empty then.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolEndEvent(TypedDict):
    type: Literal["tool_end"]
    toolCallId: str
    ok: bool


class ToolEndEvent(_ToolEndEvent, total=False):
    """The tool call has ended, successfully or not."""

    toolName: str
    # The call was cancelled or refused; ok is false then.
    cancelled: bool
    durationMs: float
    audience: "Audience"
    result: str
    structured: Any
    error: str
    content: List["ContentBlock"]
    exitCode: int
    # One line for people, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The changes that the call makes or has made.
    diffs: List["FileDiff"]
    # A terminal that the agent has created with editor_request: the editor shows it in the call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolConfirmationRequestEvent(TypedDict):
    type: Literal["tool_confirmation_request"]
    toolCallId: str


class ToolConfirmationRequestEvent(_ToolConfirmationRequestEvent, total=False):
    """May this tool run? The agent waits for tool_confirmation_response."""

    # Names this request; the answer repeats it. Absent: the call's id names it.
    confirmationId: str
    toolName: str
    args: Any
    # Why the agent asks.
    reason: str
    # What the user can choose. Absent: allow_once and reject_once.
    decisions: List["Decision"]
    # Choices of the agent's own, in their order and in place of decisions. Several may be of one kind. The answer has the optionId of the chosen one.
    options: List["ConfirmationOption"]
    # One line for people, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The changes that the call makes or has made.
    diffs: List["FileDiff"]
    # A terminal that the agent has created with editor_request: the editor shows it in the call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolConfirmationResolvedEvent(TypedDict):
    type: Literal["tool_confirmation_resolved"]
    toolCallId: str
    decision: "Decision"


class ToolConfirmationResolvedEvent(_ToolConfirmationResolvedEvent, total=False):
    """The confirmation was decided elsewhere."""

    confirmationId: str
    reason: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _QuestionEvent(TypedDict):
    type: Literal["question"]
    questionId: str
    question: str


class QuestionEvent(_QuestionEvent, total=False):
    """A question to the user. The agent waits for question_response."""

    header: str
    # Choices. Absent: any text.
    options: List[str]
    # More than one choice may be taken.
    multiple: bool
    # An answer beside the choices is welcome.
    allowCustom: bool
    # Several values to ask for, in place of options. The answer has them in values.
    fields: List["FormField"]
    # A page (http or https) to send the user to, in place of options and fields.
    url: str
    toolCallId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _QuestionAnsweredEvent(TypedDict):
    type: Literal["question_answered"]
    questionId: str


class QuestionAnsweredEvent(_QuestionAnsweredEvent, total=False):
    """The question was answered elsewhere."""

    answer: str
    cancelled: bool
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _EditorRequestEvent(TypedDict):
    type: Literal["editor_request"]
    # Names this request; the answer repeats it.
    requestId: str
    # What to do. The command session says what the editor can do.
    action: "EditorAction"


class EditorRequestEvent(_EditorRequestEvent, total=False):
    """Have the editor read or write a file, or run a command in a terminal. The agent waits for editor_response."""

    # The file to read or write; absolute or relative to the session's working directory.
    path: str
    # The whole new text of a file that is written.
    text: str
    # The first line to read, from 1.
    line: int
    # How many lines to read.
    limit: int
    # The program that a new terminal runs.
    command: str
    args: List[str]
    env: List["EnvironmentVariable"]
    # Where a new terminal runs; absolute or relative to the session's working directory. Absent: there.
    cwd: str
    # How many bytes of a terminal's output the editor keeps: the last ones.
    outputLimit: int
    # The terminal that was created; for all other actions on it.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolApprovalRequiredEvent(TypedDict):
    type: Literal["tool_approval_required"]
    toolCallId: str


class ToolApprovalRequiredEvent(_ToolApprovalRequiredEvent, total=False):
    """A call needs approval. This is only an announcement; the agent does not wait."""

    toolName: str
    args: Any
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ToolApprovalResponseEvent(TypedDict):
    type: Literal["tool_approval_response"]
    toolCallId: str
    approved: bool


class ToolApprovalResponseEvent(_ToolApprovalResponseEvent, total=False):
    """Whether that approval was given."""

    reason: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _CredentialRequiredEvent(TypedDict):
    type: Literal["credential_required"]
    pluginId: str


class CredentialRequiredEvent(_CredentialRequiredEvent, total=False):
    """A plug-in needs a credential."""

    credentialKey: str
    kind: str
    label: str
    description: str
    authUrl: str
    sessionKey: str
    pendingUserMessage: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _PlanEvent(TypedDict):
    type: Literal["plan"]


class PlanEvent(_PlanEvent, total=False):
    """The whole current plan, or one of several."""

    # Names the plan where there are several. Editors that know one plan are shown the entries of all.
    planId: str
    entries: List["PlanEntry"]
    # The plan as text, in place of entries. Editors that know plans of entries alone show it as a message.
    markdown: str
    # A file that holds the plan, in place of entries. Editors that know plans of entries alone show it as a link.
    uri: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _PlanRemovedEvent(TypedDict):
    type: Literal["plan_removed"]


class PlanRemovedEvent(_PlanRemovedEvent, total=False):
    """There is no such plan any more."""

    # That of the plan. Absent: the plan without an id.
    planId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _NoticeEvent(TypedDict):
    type: Literal["notice"]
    message: str


class NoticeEvent(_NoticeEvent, total=False):
    """Something that the user should know."""

    severity: "NoticeSeverity"
    description: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _HaltEvent(TypedDict):
    type: Literal["halt"]
    message: str


class HaltEvent(_HaltEvent, total=False):
    """The agent stopped itself: a budget or a watcher."""

    kind: str
    rule: str
    toolName: str
    count: int
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _SubagentStartEvent(TypedDict):
    type: Literal["subagent_start"]
    id: str


class SubagentStartEvent(_SubagentStartEvent, total=False):
    """A sub-agent begins a task."""

    name: str
    task: str
    runId: str
    parentRunId: str
    parentToolCallId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _SubagentEndEvent(TypedDict):
    type: Literal["subagent_end"]
    id: str
    ok: bool


class SubagentEndEvent(_SubagentEndEvent, total=False):
    """The sub-agent is done."""

    name: str
    result: str
    error: str
    durationMs: float
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _StepStartEvent(TypedDict):
    type: Literal["step_start"]


class StepStartEvent(_StepStartEvent, total=False):
    """A round with the model begins."""

    stepId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _StepEndEvent(TypedDict):
    type: Literal["step_end"]


class StepEndEvent(_StepEndEvent, total=False):
    """The round is over."""

    stepId: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _UsageEvent(TypedDict):
    type: Literal["usage"]
    # Tokens that were not read from a cache.
    inputTokens: int
    outputTokens: int
    # Cost of this request alone in US dollars.
    estimatedCostUsd: float


class UsageEvent(_UsageEvent, total=False):
    """Tokens and cost of one request to the model."""

    cacheReadTokens: int
    cacheCreationTokens: int
    # The largest number of tokens that the model can have in its context. Editors show usage only when it is known.
    contextWindow: int
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ContextCompactedEvent(TypedDict):
    type: Literal["context_compacted"]


class ContextCompactedEvent(_ContextCompactedEvent, total=False):
    """The agent shortened its context."""

    compactionId: str
    status: "CompactionStatus"
    summary: str
    error: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _StreamResetEvent(TypedDict):
    type: Literal["stream_reset"]


class StreamResetEvent(_StreamResetEvent, total=False):
    """The output of the current step is void."""

    reason: str
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _StateEvent(TypedDict):
    type: Literal["state"]
    # Any value, at most 1 MB of JSON. The command session returns it to an agent that has said resume.
    state: Any


class StateEvent(_StateEvent, total=False):
    """What to give the agent when the session goes on in another process. The last one counts."""

    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _StateSnapshotEvent(TypedDict):
    type: Literal["state_snapshot"]


class StateSnapshotEvent(_StateSnapshotEvent, total=False):
    """The agent's whole shared state."""

    snapshot: Any
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _StateDeltaEvent(TypedDict):
    type: Literal["state_delta"]


class StateDeltaEvent(_StateDeltaEvent, total=False):
    """A change of the shared state."""

    delta: Any
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ActivitySnapshotEvent(TypedDict):
    type: Literal["activity_snapshot"]


class ActivitySnapshotEvent(_ActivitySnapshotEvent, total=False):
    """The whole state of an activity."""

    messageId: str
    activityType: str
    content: Any
    replace: bool
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ActivityDeltaEvent(TypedDict):
    type: Literal["activity_delta"]


class ActivityDeltaEvent(_ActivityDeltaEvent, total=False):
    """A change of an activity."""

    messageId: str
    activityType: str
    patch: Any
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _SessionTitleEvent(TypedDict):
    type: Literal["session_title"]
    title: str


class SessionTitleEvent(_SessionTitleEvent, total=False):
    """The session's title."""

    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _AvailableCommandsEvent(TypedDict):
    type: Literal["available_commands"]
    commands: List["SlashCommand"]


class AvailableCommandsEvent(_AvailableCommandsEvent, total=False):
    """The agent's slash commands."""

    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ModeChangedEvent(TypedDict):
    type: Literal["mode_changed"]
    modeId: str


class ModeChangedEvent(_ModeChangedEvent, total=False):
    """The agent's mode."""

    # The modes that can be chosen with set_option. Absent: the modes that were listed last.
    available: List["Choice"]
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ModelChangedEvent(TypedDict):
    type: Literal["model_changed"]
    modelId: str


class ModelChangedEvent(_ModelChangedEvent, total=False):
    """The agent's model."""

    # The models that can be chosen with set_option. Absent: the models that were listed last.
    available: List["Choice"]
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ConfigOptionsEvent(TypedDict):
    type: Literal["config_options"]
    options: List["ConfigOption"]


class ConfigOptionsEvent(_ConfigOptionsEvent, total=False):
    """All options with their current values."""

    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _OptionRefusedEvent(TypedDict):
    type: Literal["option_refused"]
    optionId: str
    # Why; for the user.
    error: str


class OptionRefusedEvent(_OptionRefusedEvent, total=False):
    """The agent did not apply a set_option."""

    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _DryRunSummaryEvent(TypedDict):
    type: Literal["dry_run_summary"]
    plan: List["PlannedCall"]


class DryRunSummaryEvent(_DryRunSummaryEvent, total=False):
    """What a dry run would have done."""

    capped: int
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _EvaluatorsCompleteEvent(TypedDict):
    type: Literal["evaluators_complete"]
    results: List["EvaluatorResult"]


class EvaluatorsCompleteEvent(_EvaluatorsCompleteEvent, total=False):
    """Verdicts of evaluators on the turn."""

    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _NotificationReceivedEvent(TypedDict):
    type: Literal["notification_received"]
    message: str


class NotificationReceivedEvent(_NotificationReceivedEvent, total=False):
    """A message from a plug-in."""

    pluginId: str
    sessionKey: str
    startTurn: bool
    payload: Any
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _TelemetryEvent(TypedDict):
    type: Literal["telemetry"]
    name: str


class TelemetryEvent(_TelemetryEvent, total=False):
    """A named value for tools that observe the agent."""

    data: Any
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _ErrorEvent(TypedDict):
    type: Literal["error"]
    error: str


class ErrorEvent(_ErrorEvent, total=False):
    """A failure; ends the turn unless fatal is false."""

    # Opaque, for programs. unauthorized and the like make the editor offer a login.
    code: str
    # false: the turn goes on. Absent means true.
    fatal: bool
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _DoneEvent(TypedDict):
    type: Literal["done"]
    text: str


class DoneEvent(_DoneEvent, total=False):
    """The turn is over."""

    turnCount: int
    traceId: str
    # Absent means end_turn.
    stopReason: "StopReason"
    # The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    turnId: str


class _Choice(TypedDict):
    id: str
    name: str


class Choice(_Choice, total=False):
    description: str


class ChoiceGroup(TypedDict):
    id: str
    name: str
    choices: List["Choice"]


class _ConfigOption(TypedDict):
    # Names the option in set_option.
    id: str
    name: str
    kind: "ConfigOptionKind"
    # What is set: the id of a choice, or true or false.
    value: Union[str, bool]


class ConfigOption(_ConfigOption, total=False):
    description: str
    # What it is about: mode, model, model_config or thought_level; names of your own begin with _.
    category: str
    # What can be chosen, for a select.
    choices: List["Choice"]
    # The same in groups.
    groups: List["ChoiceGroup"]


class _ConfirmationOption(TypedDict):
    # Names the option in the answer. No other option of the request has it.
    id: str
    # What choosing it means. It is the decision of the answer.
    kind: "ConfirmationOptionKind"


class ConfirmationOption(_ConfirmationOption, total=False):
    # What the user reads. Absent: the usual words for the kind.
    name: str


class _ContentBlock(TypedDict):
    type: "ContentType"


class ContentBlock(_ContentBlock, total=False):
    text: str
    # Base64.
    data: str
    mimeType: str
    uri: str
    name: str
    title: str
    size: int
    resource: "EmbeddedResource"


class _EmbeddedResource(TypedDict):
    uri: str


class EmbeddedResource(_EmbeddedResource, total=False):
    mimeType: str
    text: str
    # Base64.
    blob: str


class EnvironmentVariable(TypedDict):
    name: str
    value: str


_EvaluatorResult = TypedDict(
    "_EvaluatorResult",
    {
        "name": str,
        "pass": bool,
    },
)


class EvaluatorResult(_EvaluatorResult, total=False):
    reason: str
    score: float


class _FieldOption(TypedDict):
    # What the answer holds.
    value: str


class FieldOption(_FieldOption, total=False):
    # What the user reads. Absent: the value.
    title: str
    description: str


class _FileDiff(TypedDict):
    path: str
    newText: str


class FileDiff(_FileDiff, total=False):
    # The text before the change. Absent for a new file.
    oldText: str


class _FileLocation(TypedDict):
    # Absolute or relative to the session's working directory.
    path: str


class FileLocation(_FileLocation, total=False):
    # 1-based line number.
    line: int


class _FormField(TypedDict):
    # Names the value in the answer. No other field of the question has it.
    name: str


class FormField(_FormField, total=False):
    # Absent: choice where there are options and string otherwise. choices means any number of the options.
    type: "FieldType"
    # What the user reads. Absent: the name.
    title: str
    description: str
    # The question cannot be answered without this value.
    required: bool
    # A string that nobody should read along. Editors without forms are not asked for it.
    secret: bool
    # What the field holds at first; of the field's type. It is no answer by itself.
    default: Any
    # What can be chosen.
    options: List["FieldOption"]
    # What a string looks like.
    format: "FieldFormat"
    # A regular expression for a string. Editors check it; Turnwire does not.
    pattern: str
    # Characters in a string.
    minLength: int
    maxLength: int
    # The smallest number.
    minimum: float
    maximum: float
    # How many options must be chosen.
    minItems: int
    maxItems: int


class MCPTakes(TypedDict, total=False):
    http: bool
    sse: bool


class _ModeState(TypedDict):
    modeId: str


class ModeState(_ModeState, total=False):
    available: List["Choice"]


class _ModelState(TypedDict):
    modelId: str


class ModelState(_ModelState, total=False):
    available: List["Choice"]


class _PlanEntry(TypedDict):
    content: str


class PlanEntry(_PlanEntry, total=False):
    status: "PlanEntryStatus"
    priority: "PlanEntryPriority"


class _PlannedCall(TypedDict):
    toolName: str


class PlannedCall(_PlannedCall, total=False):
    toolCallId: str
    args: Any


class PromptTakes(TypedDict, total=False):
    image: bool
    audio: bool


class _SlashCommand(TypedDict):
    # Without the slash.
    name: str
    description: str


class SlashCommand(_SlashCommand, total=False):
    # What to type after the name.
    hint: str


class SystemPromptTakes(TypedDict, total=False):
    # They can take the place of its own.
    replace: bool


class _SessionCommand(TypedDict):
    type: Literal["session"]
    sessionId: str
    # The session's working directory, absolute.
    cwd: str
    # Further directories of the session, absolute.
    roots: List[str]
    # The MCP servers to use, as the editor gave them: name and command and args and env, or type (http or sse) and url and headers.
    mcpServers: List[Any]
    # What the editor is and can do.
    editor: "Editor"


class SessionCommand(_SessionCommand, total=False):
    """What the session is. Only an agent that has printed agent_info gets it, once."""

    # Instructions of the editor. Only for agents that have said systemPrompt.
    systemPrompt: "SystemPrompt"
    # The session goes on that had this sessionId before. Only for agents that have said resume.
    resume: bool
    # The session began as a copy of that one, which goes on too; sessionId is new then. Only with resume.
    forkOf: str
    # What the last state event of the session had. Only with resume.
    state: Any


class _PromptCommand(TypedDict):
    type: Literal["prompt"]
    sessionId: str
    # Names the turn. Events may repeat it.
    turnId: str
    # The session's working directory, absolute.
    cwd: str
    # The text of the prompt: its text blocks and the links and resources in it, joined.
    text: str
    # The prompt's content blocks as the editor sent them.
    prompt: List["ContentBlock"]


class PromptCommand(_PromptCommand, total=False):
    """Begin a turn. It ends with the event done, or with a fatal error."""

    # The trace that the turn belongs to, as W3C's trace context has it. Only where the editor names one, or Turnwire sends traces.
    traceparent: str
    # What other tracing systems say of it, with traceparent.
    tracestate: str
    # What was said in the session before, oldest first. Only with the first prompt that a process gets of a session that goes on, and only for agents that have said history.
    history: List["HistoryEntry"]


class CancelCommand(TypedDict):
    """Stop the turn, and end it with the event done whose stopReason is cancelled."""

    type: Literal["cancel"]
    sessionId: str
    turnId: str


class _ToolConfirmationResponseCommand(TypedDict):
    type: Literal["tool_confirmation_response"]
    sessionId: str
    turnId: str
    toolCallId: str
    # Only allow_once and allow_always permit the call.
    decision: "Decision"


class ToolConfirmationResponseCommand(_ToolConfirmationResponseCommand, total=False):
    """The answer to tool_confirmation_request."""

    # That of the request, where it had one.
    confirmationId: str
    # The chosen option, where the request had options of its own. The decision is the option's kind.
    optionId: str
    # Why nobody was asked, where the request was refused without asking.
    reason: str


class _QuestionResponseCommand(TypedDict):
    type: Literal["question_response"]
    sessionId: str
    turnId: str
    questionId: str
    # The chosen option or the text. With several choices they are joined by a comma and a space.
    answer: str


class QuestionResponseCommand(_QuestionResponseCommand, total=False):
    """The answer to question."""

    # The choices one by one where several were allowed.
    answers: List[str]
    # The values by the names of their fields, where the question had fields. Each is of its field's type.
    values: Dict[str, Any]
    # The user did not answer.
    cancelled: bool
    # The user did not want to answer, where that is known; cancelled is true then.
    declined: bool
    # Why nobody was asked, where the question was refused without asking.
    reason: str


class _EditorResponseCommand(TypedDict):
    type: Literal["editor_response"]
    sessionId: str
    turnId: str
    requestId: str
    # The editor has done it.
    ok: bool


class EditorResponseCommand(_EditorResponseCommand, total=False):
    """The answer to editor_request."""

    # Why it was not done.
    error: str
    # The text that was read.
    text: str
    # The terminal that was created.
    terminalId: str
    # The terminal's output so far.
    output: str
    # The beginning of the output is lost.
    truncated: bool
    # The terminal's command has ended.
    exited: bool
    exitCode: int
    # The signal that ended the command.
    signal: str


class SetOptionCommand(TypedDict):
    """Set an option that was offered. Say what it is set to with mode_changed, model_changed or config_options, or refuse with option_refused."""

    type: Literal["set_option"]
    sessionId: str
    # The id in config_options; mode and model for what mode_changed and model_changed have told.
    optionId: str
    # The id of a choice that was offered, or true or false.
    value: Union[str, bool]


class _Editor(TypedDict):
    # It can read files, with unsaved changes.
    readFile: bool
    # It can write files.
    writeFile: bool
    # It can run commands in terminals of its own.
    terminal: bool
    # It can ask questions with several fields.
    forms: bool
    # It can send the user to a page.
    pages: bool


class Editor(_Editor, total=False):
    name: str
    version: str


class HistoryEntry(TypedDict):
    role: "Role"
    text: str


class SystemPrompt(TypedDict):
    # Whether the agent adds the text to its own instructions or has it in their place.
    mode: "SystemPromptMode"
    text: str


# One line that an agent prints on its standard output. Members that are not listed are kept, and an event of a type that is not listed is passed on as it came.
AgentEvent = Union[
    AgentInfoEvent,
    RunStartEvent,
    ContextMetaEvent,
    TextDeltaEvent,
    ThinkingDeltaEvent,
    ContentEvent,
    CitationEvent,
    UserMessageEvent,
    MessageStartEvent,
    MessageEndEvent,
    ToolPendingEvent,
    ToolArgsDeltaEvent,
    ToolReadyEvent,
    ToolStartEvent,
    ToolProgressEvent,
    ToolOutputEvent,
    ToolEndEvent,
    ToolConfirmationRequestEvent,
    ToolConfirmationResolvedEvent,
    QuestionEvent,
    QuestionAnsweredEvent,
    EditorRequestEvent,
    ToolApprovalRequiredEvent,
    ToolApprovalResponseEvent,
    CredentialRequiredEvent,
    PlanEvent,
    PlanRemovedEvent,
    NoticeEvent,
    HaltEvent,
    SubagentStartEvent,
    SubagentEndEvent,
    StepStartEvent,
    StepEndEvent,
    UsageEvent,
    ContextCompactedEvent,
    StreamResetEvent,
    StateEvent,
    StateSnapshotEvent,
    StateDeltaEvent,
    ActivitySnapshotEvent,
    ActivityDeltaEvent,
    SessionTitleEvent,
    AvailableCommandsEvent,
    ModeChangedEvent,
    ModelChangedEvent,
    ConfigOptionsEvent,
    OptionRefusedEvent,
    DryRunSummaryEvent,
    EvaluatorsCompleteEvent,
    NotificationReceivedEvent,
    TelemetryEvent,
    ErrorEvent,
    DoneEvent,
]

# One line that an agent reads from its standard input. An agent should skip commands and members that it does not know. The end of its input means: stop.
AgentCommand = Union[
    SessionCommand,
    PromptCommand,
    CancelCommand,
    ToolConfirmationResponseCommand,
    QuestionResponseCommand,
    EditorResponseCommand,
    SetOptionCommand,
]
