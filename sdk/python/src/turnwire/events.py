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
    """The agent's name and capabilities. Print it as the first line. Turnwire replies with the session command."""

    # The agent's display name.
    name: str
    version: str
    # The content that the agent accepts in prompts, besides text and links. Default: none.
    prompt: "PromptTakes"
    # Present if the agent uses the session's MCP servers. If absent, the user is told that the agent does not use them.
    mcp: "MCPTakes"
    # Present if the agent adds the editor's instructions to its own. The session command then contains them.
    systemPrompt: "SystemPromptTakes"
    # Present if the agent reads steer commands during a turn, with the content that it accepts in them, besides text and links.
    steer: "PromptTakes"
    # The current and available modes, as in mode_changed.
    modes: "ModeState"
    # The current and available models, as in model_changed.
    models: "ModelState"
    # The options, as in config_options.
    options: List["ConfigOption"]
    # The slash commands, as in available_commands.
    commands: List["SlashCommand"]
    # The agent stores its conversations. If the session command has resume, the agent continues the conversation of that sessionId. The command contains the value of the last state event.
    resume: bool
    # The agent uses Turnwire's own tools to read, search, edit and run. The session command then lists them.
    tools: bool
    # The agent stores no conversations. It reads the earlier messages from the prompt's history.
    history: bool
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _RunStartEvent(TypedDict):
    type: Literal["run_start"]


class RunStartEvent(_RunStartEvent, total=False):
    """The turn starts, with this provider and model."""

    provider: str
    model: str
    source: str
    traceId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ContextMetaEvent(TypedDict):
    type: Literal["context_meta"]


class ContextMetaEvent(_ContextMetaEvent, total=False):
    """Additions to the prompt's context."""

    data: Any
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _TextDeltaEvent(TypedDict):
    type: Literal["text_delta"]
    text: str


class TextDeltaEvent(_TextDeltaEvent, total=False):
    """A piece of the agent's answer."""

    # The message's id, shared by all its pieces. Optional.
    messageId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ThinkingDeltaEvent(TypedDict):
    type: Literal["thinking_delta"]
    thinking: str


class ThinkingDeltaEvent(_ThinkingDeltaEvent, total=False):
    """A piece of the agent's thoughts."""

    messageId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ContentEvent(TypedDict):
    type: Literal["content"]
    content: "ContentBlock"


class ContentEvent(_ContentEvent, total=False):
    """An image, audio, a link or an embedded resource in the answer."""

    messageId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _CitationEvent(TypedDict):
    type: Literal["citation"]
    # The source's URI. Editors show http, https and file URIs as links.
    uri: str


class CitationEvent(_CitationEvent, total=False):
    """A source for the answer, shown as a link in it."""

    # The link text. Default: the uri.
    title: str
    messageId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _UserMessageEvent(TypedDict):
    type: Literal["user_message"]


class UserMessageEvent(_UserMessageEvent, total=False):
    """A user message that did not come from a prompt, such as one typed in another program."""

    text: str
    # Content after the text, or instead of it.
    content: List["ContentBlock"]
    messageId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _SteeredEvent(TypedDict):
    type: Literal["steered"]
    # The id in the steer command.
    steerId: str


class SteeredEvent(_SteeredEvent, total=False):
    """The agent has read a steer command, or refuses it."""

    # Why the agent does not accept the message, which then becomes the next prompt.
    refused: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _MessageStartEvent(TypedDict):
    type: Literal["message_start"]


class MessageStartEvent(_MessageStartEvent, total=False):
    """A new message starts."""

    messageId: str
    role: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _MessageEndEvent(TypedDict):
    type: Literal["message_end"]


class MessageEndEvent(_MessageEndEvent, total=False):
    """The message is complete."""

    messageId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolPendingEvent(TypedDict):
    type: Literal["tool_pending"]
    toolCallId: str
    toolName: str


class ToolPendingEvent(_ToolPendingEvent, total=False):
    """The model started to write a tool call."""

    # The id of the parent tool call or sub-agent.
    parentToolCallId: str
    # A one-line title for the user, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The file changes of the call.
    diffs: List["FileDiff"]
    # A terminal that the agent created with editor_request. The editor shows it in the tool call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolArgsDeltaEvent(TypedDict):
    type: Literal["tool_args_delta"]
    toolCallId: str
    delta: str


class ToolArgsDeltaEvent(_ToolArgsDeltaEvent, total=False):
    """A piece of the call's arguments, as JSON text."""

    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolReadyEvent(TypedDict):
    type: Literal["tool_ready"]
    toolCallId: str
    toolName: str


class ToolReadyEvent(_ToolReadyEvent, total=False):
    """The call is complete, but not running yet."""

    args: Any
    parentToolCallId: str
    # A one-line title for the user, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The file changes of the call.
    diffs: List["FileDiff"]
    # A terminal that the agent created with editor_request. The editor shows it in the tool call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolStartEvent(TypedDict):
    type: Literal["tool_start"]
    toolCallId: str
    toolName: str


class ToolStartEvent(_ToolStartEvent, total=False):
    """The tool starts to run."""

    args: Any
    audience: "Audience"
    parentToolCallId: str
    # A one-line title for the user, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The file changes of the call.
    diffs: List["FileDiff"]
    # A terminal that the agent created with editor_request. The editor shows it in the tool call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolProgressEvent(TypedDict):
    type: Literal["tool_progress"]
    message: str


class ToolProgressEvent(_ToolProgressEvent, total=False):
    """The tool's progress."""

    # Optional. Default: the only running call of this tool.
    toolCallId: str
    toolName: str
    percent: float
    # Default: internal, which is not shown.
    audience: "Audience"
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolOutputEvent(TypedDict):
    type: Literal["tool_output"]
    toolCallId: str
    text: str


class ToolOutputEvent(_ToolOutputEvent, total=False):
    """A piece of the tool's output."""

    stream: "OutputStream"
    # The text replaces all earlier output.
    replace: bool
    # A terminal that the agent created with editor_request. The editor shows it in the tool call, and the text may be empty.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolEndEvent(TypedDict):
    type: Literal["tool_end"]
    toolCallId: str
    ok: bool


class ToolEndEvent(_ToolEndEvent, total=False):
    """The tool call ended, successfully or not."""

    toolName: str
    # The call was cancelled or refused. In that case, ok is false.
    cancelled: bool
    durationMs: float
    audience: "Audience"
    result: str
    structured: Any
    error: str
    content: List["ContentBlock"]
    exitCode: int
    # A one-line title for the user, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The file changes of the call.
    diffs: List["FileDiff"]
    # A terminal that the agent created with editor_request. The editor shows it in the tool call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolConfirmationRequestEvent(TypedDict):
    type: Literal["tool_confirmation_request"]
    toolCallId: str


class ToolConfirmationRequestEvent(_ToolConfirmationRequestEvent, total=False):
    """A request for permission to run a tool. The agent waits for tool_confirmation_response."""

    # The request's id, which the answer repeats. Default: the tool call's id.
    confirmationId: str
    toolName: str
    args: Any
    # Why the agent asks.
    reason: str
    # The choices for the user. Default: allow_once and reject_once.
    decisions: List["Decision"]
    # Custom choices, shown in this order instead of decisions. Several may have the same kind. The answer contains the optionId of the chosen one.
    options: List["ConfirmationOption"]
    # A one-line title for the user, such as Read main.go.
    title: str
    # The icon to show.
    kind: "ToolKind"
    locations: List["FileLocation"]
    # The file changes of the call.
    diffs: List["FileDiff"]
    # A terminal that the agent created with editor_request. The editor shows it in the tool call.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolConfirmationResolvedEvent(TypedDict):
    type: Literal["tool_confirmation_resolved"]
    toolCallId: str
    decision: "Decision"


class ToolConfirmationResolvedEvent(_ToolConfirmationResolvedEvent, total=False):
    """The permission request was answered elsewhere."""

    confirmationId: str
    reason: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _QuestionEvent(TypedDict):
    type: Literal["question"]
    questionId: str
    question: str


class QuestionEvent(_QuestionEvent, total=False):
    """A question for the user. The agent waits for question_response."""

    header: str
    # The choices. Default: free text.
    options: List[str]
    # The user can select several options.
    multiple: bool
    # The user can also enter a custom answer.
    allowCustom: bool
    # The fields of a form, instead of options. The answer contains their values.
    fields: List["FormField"]
    # A web page (http or https) to send the user to, instead of options and fields.
    url: str
    toolCallId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _QuestionAnsweredEvent(TypedDict):
    type: Literal["question_answered"]
    questionId: str


class QuestionAnsweredEvent(_QuestionAnsweredEvent, total=False):
    """The question was answered elsewhere."""

    answer: str
    cancelled: bool
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _EditorRequestEvent(TypedDict):
    type: Literal["editor_request"]
    # The request's id, which the answer repeats.
    requestId: str
    # The action. The session command lists the editor's capabilities.
    action: "EditorAction"


class EditorRequestEvent(_EditorRequestEvent, total=False):
    """A request to the editor to read or write a file, or to run a command in a terminal. The agent waits for editor_response."""

    # The file to read or write. Absolute, or relative to the session's working directory.
    path: str
    # The complete new text of the file to write.
    text: str
    # The first line to read, starting at 1.
    line: int
    # The number of lines to read.
    limit: int
    # The program to run in the new terminal.
    command: str
    args: List[str]
    env: List["EnvironmentVariable"]
    # The new terminal's working directory. Absolute, or relative to the session's working directory, which is the default.
    cwd: str
    # The number of output bytes that the editor keeps. The oldest output is dropped first.
    outputLimit: int
    # The terminal's id, for all actions on an existing terminal.
    terminalId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolRequestEvent(TypedDict):
    type: Literal["tool_request"]
    # The call's id, which the answer repeats. Unique in the session.
    toolCallId: str
    # The name of a tool that the session command lists.
    toolName: str


class ToolRequestEvent(_ToolRequestEvent, total=False):
    """A request to run one of Turnwire's own tools. The agent waits for tool_response."""

    # The call's arguments, as the tool's parameters describe them. A mistake in them is a failed call.
    args: Dict[str, Any]
    # The maximal length of the result in characters. Default: 50000.
    limit: int
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolApprovalRequiredEvent(TypedDict):
    type: Literal["tool_approval_required"]
    toolCallId: str


class ToolApprovalRequiredEvent(_ToolApprovalRequiredEvent, total=False):
    """A tool call needs approval. This only announces it; the agent does not wait."""

    toolName: str
    args: Any
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ToolApprovalResponseEvent(TypedDict):
    type: Literal["tool_approval_response"]
    toolCallId: str
    approved: bool


class ToolApprovalResponseEvent(_ToolApprovalResponseEvent, total=False):
    """The result of an approval."""

    reason: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
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
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _PlanEvent(TypedDict):
    type: Literal["plan"]


class PlanEvent(_PlanEvent, total=False):
    """The complete plan, or one of several plans."""

    # The plan's id, if there are several. Editors that support only one plan show the entries of all.
    planId: str
    entries: List["PlanEntry"]
    # The plan as text, instead of entries. Editors that only support entries show it as a message.
    markdown: str
    # A file with the plan, instead of entries. Editors that only support entries show it as a link.
    uri: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _PlanRemovedEvent(TypedDict):
    type: Literal["plan_removed"]


class PlanRemovedEvent(_PlanRemovedEvent, total=False):
    """A plan was removed."""

    # The plan's id. Default: the plan without an id.
    planId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _NoticeEvent(TypedDict):
    type: Literal["notice"]
    message: str


class NoticeEvent(_NoticeEvent, total=False):
    """Information for the user."""

    severity: "NoticeSeverity"
    description: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _HaltEvent(TypedDict):
    type: Literal["halt"]
    message: str


class HaltEvent(_HaltEvent, total=False):
    """The agent stopped itself, because of a budget or a watcher."""

    kind: str
    rule: str
    toolName: str
    count: int
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _SubagentStartEvent(TypedDict):
    type: Literal["subagent_start"]
    id: str


class SubagentStartEvent(_SubagentStartEvent, total=False):
    """A sub-agent starts a task."""

    name: str
    task: str
    runId: str
    parentRunId: str
    parentToolCallId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _SubagentEndEvent(TypedDict):
    type: Literal["subagent_end"]
    id: str
    ok: bool


class SubagentEndEvent(_SubagentEndEvent, total=False):
    """The sub-agent finished its task."""

    name: str
    result: str
    error: str
    durationMs: float
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _StepStartEvent(TypedDict):
    type: Literal["step_start"]


class StepStartEvent(_StepStartEvent, total=False):
    """A round with the model starts."""

    stepId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _StepEndEvent(TypedDict):
    type: Literal["step_end"]


class StepEndEvent(_StepEndEvent, total=False):
    """The round with the model ended."""

    stepId: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _UsageEvent(TypedDict):
    type: Literal["usage"]
    # Input tokens, except those read from a cache.
    inputTokens: int
    outputTokens: int
    # The cost of this request in US dollars.
    estimatedCostUsd: float


class UsageEvent(_UsageEvent, total=False):
    """The tokens and cost of one request to the model."""

    cacheReadTokens: int
    cacheCreationTokens: int
    # The model's context size in tokens. Editors show usage only if it is known.
    contextWindow: int
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ContextCompactedEvent(TypedDict):
    type: Literal["context_compacted"]


class ContextCompactedEvent(_ContextCompactedEvent, total=False):
    """The agent shortened its context."""

    compactionId: str
    status: "CompactionStatus"
    summary: str
    error: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _StreamResetEvent(TypedDict):
    type: Literal["stream_reset"]


class StreamResetEvent(_StreamResetEvent, total=False):
    """The output of the current step is withdrawn."""

    reason: str
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _StateEvent(TypedDict):
    type: Literal["state"]
    # Any value, up to 1 MB of JSON. The session command returns it to an agent that declared resume.
    state: Any


class StateEvent(_StateEvent, total=False):
    """A value that Turnwire saves and returns to the agent when the session continues in a new process. Only the last one is kept."""

    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _StateSnapshotEvent(TypedDict):
    type: Literal["state_snapshot"]


class StateSnapshotEvent(_StateSnapshotEvent, total=False):
    """The agent's complete shared state."""

    snapshot: Any
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _StateDeltaEvent(TypedDict):
    type: Literal["state_delta"]


class StateDeltaEvent(_StateDeltaEvent, total=False):
    """A change to the shared state."""

    delta: Any
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ActivitySnapshotEvent(TypedDict):
    type: Literal["activity_snapshot"]


class ActivitySnapshotEvent(_ActivitySnapshotEvent, total=False):
    """The complete state of an activity."""

    messageId: str
    activityType: str
    content: Any
    replace: bool
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ActivityDeltaEvent(TypedDict):
    type: Literal["activity_delta"]


class ActivityDeltaEvent(_ActivityDeltaEvent, total=False):
    """A change to an activity."""

    messageId: str
    activityType: str
    patch: Any
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _SessionTitleEvent(TypedDict):
    type: Literal["session_title"]
    title: str


class SessionTitleEvent(_SessionTitleEvent, total=False):
    """The session's title."""

    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _AvailableCommandsEvent(TypedDict):
    type: Literal["available_commands"]
    commands: List["SlashCommand"]


class AvailableCommandsEvent(_AvailableCommandsEvent, total=False):
    """The agent's slash commands."""

    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ModeChangedEvent(TypedDict):
    type: Literal["mode_changed"]
    modeId: str


class ModeChangedEvent(_ModeChangedEvent, total=False):
    """The agent's current mode."""

    # The modes that set_option accepts. Default: the last list.
    available: List["Choice"]
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ModelChangedEvent(TypedDict):
    type: Literal["model_changed"]
    modelId: str


class ModelChangedEvent(_ModelChangedEvent, total=False):
    """The agent's current model."""

    # The models that set_option accepts. Default: the last list.
    available: List["Choice"]
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ConfigOptionsEvent(TypedDict):
    type: Literal["config_options"]
    options: List["ConfigOption"]


class ConfigOptionsEvent(_ConfigOptionsEvent, total=False):
    """All options with their current values."""

    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _OptionRefusedEvent(TypedDict):
    type: Literal["option_refused"]
    optionId: str
    # The reason, for the user.
    error: str


class OptionRefusedEvent(_OptionRefusedEvent, total=False):
    """The agent did not apply a set_option."""

    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _DryRunSummaryEvent(TypedDict):
    type: Literal["dry_run_summary"]
    plan: List["PlannedCall"]


class DryRunSummaryEvent(_DryRunSummaryEvent, total=False):
    """The tool calls that a dry run would have made."""

    capped: int
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _EvaluatorsCompleteEvent(TypedDict):
    type: Literal["evaluators_complete"]
    results: List["EvaluatorResult"]


class EvaluatorsCompleteEvent(_EvaluatorsCompleteEvent, total=False):
    """The evaluators' verdicts on the turn."""

    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
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
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _TelemetryEvent(TypedDict):
    type: Literal["telemetry"]
    name: str


class TelemetryEvent(_TelemetryEvent, total=False):
    """A named value for tools that observe the agent."""

    data: Any
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _ErrorEvent(TypedDict):
    type: Literal["error"]
    error: str


class ErrorEvent(_ErrorEvent, total=False):
    """A failure. It ends the turn unless fatal is false."""

    # An error code for programs. Codes such as unauthorized make the editor offer a login.
    code: str
    # If false, the turn continues. Default: true.
    fatal: bool
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    turnId: str


class _DoneEvent(TypedDict):
    type: Literal["done"]
    text: str


class DoneEvent(_DoneEvent, total=False):
    """The turn ended."""

    turnCount: int
    traceId: str
    # Default: end_turn.
    stopReason: "StopReason"
    # The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
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
    # The option's id in set_option.
    id: str
    name: str
    kind: "ConfigOptionKind"
    # The current value: the id of a choice, or true or false.
    value: Union[str, bool]


class ConfigOption(_ConfigOption, total=False):
    description: str
    # The category: mode, model, model_config or thought_level. Custom categories begin with _.
    category: str
    # The choices of a select.
    choices: List["Choice"]
    # The choices of a select, in groups.
    groups: List["ChoiceGroup"]


class _ConfirmationOption(TypedDict):
    # The option's id in the answer. It is unique within the request.
    id: str
    # The decision that this option stands for. The answer contains it.
    kind: "ConfirmationOptionKind"


class ConfirmationOption(_ConfirmationOption, total=False):
    # The label. Default: the usual label for the kind.
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
    # The value in the answer.
    value: str


class FieldOption(_FieldOption, total=False):
    # The label. Default: the value.
    title: str
    description: str


class _FileDiff(TypedDict):
    path: str
    newText: str


class FileDiff(_FileDiff, total=False):
    # The text before the change. Absent for a new file.
    oldText: str
    # The line at which newText begins in the new file. Only if the texts are a part of it.
    line: int


class _FileLocation(TypedDict):
    # Absolute, or relative to the session's working directory.
    path: str


class FileLocation(_FileLocation, total=False):
    # The line number, starting at 1.
    line: int


class _FormField(TypedDict):
    # The name of the value in the answer. It is unique within the question.
    name: str


class FormField(_FormField, total=False):
    # Default: choice if there are options, otherwise string. choices allows any number of options.
    type: "FieldType"
    # The label. Default: the name.
    title: str
    description: str
    # The question can't be answered without this value.
    required: bool
    # A string that the editor hides during input, such as a password. It is only requested from editors with forms.
    secret: bool
    # The initial value, of the field's type. The user must still submit it.
    default: Any
    # The options to choose from.
    options: List["FieldOption"]
    # The format of a string.
    format: "FieldFormat"
    # A regular expression for a string. Editors check it, Turnwire doesn't.
    pattern: str
    # The minimum length of a string, in characters.
    minLength: int
    maxLength: int
    # The minimum of a number.
    minimum: float
    maximum: float
    # The minimum number of selected options.
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
    # The name without the slash.
    name: str
    description: str


class SlashCommand(_SlashCommand, total=False):
    # A hint for the command's arguments.
    hint: str


class SystemPromptTakes(TypedDict, total=False):
    # The editor's instructions can replace the agent's own.
    replace: bool


class _SessionCommand(TypedDict):
    type: Literal["session"]
    sessionId: str
    # The session's working directory, absolute.
    cwd: str
    # Additional directories of the session, absolute.
    roots: List[str]
    # The MCP servers to use, as the editor sent them: name, command, args and env, or name, type (http or sse), url and headers.
    mcpServers: List[Any]
    # The editor's name and capabilities.
    editor: "Editor"


class SessionCommand(_SessionCommand, total=False):
    """Describes the session. Sent once, and only if the agent printed agent_info."""

    # The editor's instructions. Present only if agent_info has systemPrompt.
    systemPrompt: "SystemPrompt"
    # The tools that the agent can call with tool_request. Present only if agent_info has tools.
    tools: List["OfferedTool"]
    # The session is an earlier one with the same sessionId. Present only if agent_info has resume.
    resume: bool
    # The id of the session that this one is a copy of. The original continues, and the copy has a new sessionId. Present only with resume.
    forkOf: str
    # The value of the session's last state event. Present only with resume.
    state: Any


class _PromptCommand(TypedDict):
    type: Literal["prompt"]
    sessionId: str
    # The turn's id. Events may repeat it.
    turnId: str
    # The session's working directory, absolute.
    cwd: str
    # The prompt as text: its text blocks, links and resources, joined.
    text: str
    # The prompt's content blocks, as the editor sent them.
    prompt: List["ContentBlock"]


class PromptCommand(_PromptCommand, total=False):
    """Starts a turn. The agent ends it with the event done or a fatal error."""

    # The turn's W3C trace context. Present only if the editor sends one or Turnwire exports traces.
    traceparent: str
    # Vendor-specific trace data that belongs to traceparent.
    tracestate: str
    # The session's earlier messages, oldest first. Present only in the first prompt after a process starts in an existing session, and only if agent_info has history.
    history: List["HistoryEntry"]


class SteerCommand(TypedDict):
    """A message from the user for the running turn. Sent only if agent_info has steer. The agent prints steered once it has read it."""

    type: Literal["steer"]
    sessionId: str
    # The running turn.
    turnId: str
    # The message's id. The agent copies it to steered.
    steerId: str
    # The message as text: its text blocks, links and resources, joined.
    text: str
    # The message's content blocks, as the editor sent them.
    prompt: List["ContentBlock"]


class CancelCommand(TypedDict):
    """Cancels the turn. The agent ends it with the event done and the stopReason cancelled."""

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
    """Answers tool_confirmation_request."""

    # The request's confirmationId, if it had one.
    confirmationId: str
    # The chosen option, if the request had options. The decision is the option's kind.
    optionId: str
    # Why the request was refused without asking the user.
    reason: str


class _QuestionResponseCommand(TypedDict):
    type: Literal["question_response"]
    sessionId: str
    turnId: str
    questionId: str
    # The selected option or the text. Several options are joined with a comma and a space.
    answer: str


class QuestionResponseCommand(_QuestionResponseCommand, total=False):
    """Answers question."""

    # The selected options as a list, if several were allowed.
    answers: List[str]
    # The values by field name, if the question had fields. Each has its field's type.
    values: Dict[str, Any]
    # The user did not answer.
    cancelled: bool
    # The user declined to answer, if the editor reports that. In that case, cancelled is true too.
    declined: bool
    # Why the question was refused without asking the user.
    reason: str


class _EditorResponseCommand(TypedDict):
    type: Literal["editor_response"]
    sessionId: str
    turnId: str
    requestId: str
    # The request succeeded.
    ok: bool


class EditorResponseCommand(_EditorResponseCommand, total=False):
    """Answers editor_request."""

    # Why the request failed.
    error: str
    # The text read from the file.
    text: str
    # The id of the new terminal.
    terminalId: str
    # The terminal's output so far.
    output: str
    # The beginning of the output was dropped.
    truncated: bool
    # The terminal's command has exited.
    exited: bool
    exitCode: int
    # The signal that terminated the command.
    signal: str


class _ToolResponseCommand(TypedDict):
    type: Literal["tool_response"]
    sessionId: str
    turnId: str
    toolCallId: str
    # The call succeeded.
    ok: bool
    # The result, or what went wrong, for the model.
    text: str


class ToolResponseCommand(_ToolResponseCommand, total=False):
    """Answers tool_request."""

    # The user did not allow the call, or did not answer.
    refused: bool
    # The turn was cancelled.
    cancelled: bool
    # A part of the result is left out, as the text says.
    truncated: bool


class SetOptionCommand(TypedDict):
    """Sets an offered option. The agent reports the new value with mode_changed, model_changed or config_options, or refuses with option_refused."""

    type: Literal["set_option"]
    sessionId: str
    # The id in config_options, or mode or model for the values of mode_changed and model_changed.
    optionId: str
    # The id of an offered choice, or true or false.
    value: Union[str, bool]


class _Editor(TypedDict):
    # The editor can read files, including unsaved changes.
    readFile: bool
    # The editor can write files.
    writeFile: bool
    # The editor can run commands in its own terminals.
    terminal: bool
    # The editor can show forms with several fields.
    forms: bool
    # The editor can send the user to a web page.
    pages: bool


class Editor(_Editor, total=False):
    name: str
    version: str


class HistoryEntry(TypedDict):
    role: "Role"
    text: str


class OfferedTool(TypedDict):
    name: str
    # What the tool does, for a model.
    description: str
    # The JSON Schema of the tool's arguments.
    parameters: Dict[str, Any]


class SystemPrompt(TypedDict):
    # Whether the text is added to the agent's own instructions or replaces them.
    mode: "SystemPromptMode"
    text: str


# One line that an agent prints to stdout. Unlisted members are kept, and events of unlisted types are passed on unchanged.
AgentEvent = Union[
    AgentInfoEvent,
    RunStartEvent,
    ContextMetaEvent,
    TextDeltaEvent,
    ThinkingDeltaEvent,
    ContentEvent,
    CitationEvent,
    UserMessageEvent,
    SteeredEvent,
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
    ToolRequestEvent,
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

# One line that an agent reads from stdin. An agent should ignore unknown commands and members. It should exit when stdin ends.
AgentCommand = Union[
    SessionCommand,
    PromptCommand,
    SteerCommand,
    CancelCommand,
    ToolConfirmationResponseCommand,
    QuestionResponseCommand,
    EditorResponseCommand,
    ToolResponseCommand,
    SetOptionCommand,
]
