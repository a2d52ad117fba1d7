// Generated from schema/agent-event.schema.json and schema/agent-command.schema.json. Do not edit.
//! The events that an agent prints, and the commands that it reads.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Audience {
    #[serde(rename = "user")]
    User,
    #[serde(rename = "internal")]
    Internal,
    #[serde(rename = "dashboard")]
    Dashboard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CompactionStatus {
    #[serde(rename = "in_progress")]
    InProgress,
    #[serde(rename = "completed")]
    Completed,
    #[serde(rename = "failed")]
    Failed,
    #[serde(rename = "cancelled")]
    Cancelled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConfigOptionKind {
    #[serde(rename = "select")]
    Select,
    #[serde(rename = "boolean")]
    Boolean,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConfirmationOptionKind {
    #[serde(rename = "allow_once")]
    AllowOnce,
    #[serde(rename = "allow_always")]
    AllowAlways,
    #[serde(rename = "reject_once")]
    RejectOnce,
    #[serde(rename = "reject_always")]
    RejectAlways,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContentType {
    #[serde(rename = "text")]
    Text,
    #[serde(rename = "image")]
    Image,
    #[serde(rename = "audio")]
    Audio,
    #[serde(rename = "resource_link")]
    ResourceLink,
    #[serde(rename = "resource")]
    Resource,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    #[serde(rename = "allow_once")]
    AllowOnce,
    #[serde(rename = "allow_always")]
    AllowAlways,
    #[serde(rename = "reject_once")]
    RejectOnce,
    #[serde(rename = "reject_always")]
    RejectAlways,
    #[serde(rename = "cancelled")]
    Cancelled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EditorAction {
    #[serde(rename = "read_file")]
    ReadFile,
    #[serde(rename = "write_file")]
    WriteFile,
    #[serde(rename = "create_terminal")]
    CreateTerminal,
    #[serde(rename = "terminal_output")]
    TerminalOutput,
    #[serde(rename = "wait_for_terminal")]
    WaitForTerminal,
    #[serde(rename = "kill_terminal")]
    KillTerminal,
    #[serde(rename = "release_terminal")]
    ReleaseTerminal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldFormat {
    #[serde(rename = "email")]
    Email,
    #[serde(rename = "uri")]
    Uri,
    #[serde(rename = "date")]
    Date,
    #[serde(rename = "date-time")]
    DateTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldType {
    #[serde(rename = "string")]
    String,
    #[serde(rename = "number")]
    Number,
    #[serde(rename = "integer")]
    Integer,
    #[serde(rename = "boolean")]
    Boolean,
    #[serde(rename = "choice")]
    Choice,
    #[serde(rename = "choices")]
    Choices,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeSeverity {
    #[serde(rename = "info")]
    Info,
    #[serde(rename = "warning")]
    Warning,
    #[serde(rename = "error")]
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutputStream {
    #[serde(rename = "stdout")]
    Stdout,
    #[serde(rename = "stderr")]
    Stderr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanEntryPriority {
    #[serde(rename = "high")]
    High,
    #[serde(rename = "medium")]
    Medium,
    #[serde(rename = "low")]
    Low,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanEntryStatus {
    #[serde(rename = "pending")]
    Pending,
    #[serde(rename = "in_progress")]
    InProgress,
    #[serde(rename = "completed")]
    Completed,
    #[serde(rename = "cancelled")]
    Cancelled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    #[serde(rename = "end_turn")]
    EndTurn,
    #[serde(rename = "max_tokens")]
    MaxTokens,
    #[serde(rename = "max_turn_requests")]
    MaxTurnRequests,
    #[serde(rename = "refusal")]
    Refusal,
    #[serde(rename = "cancelled")]
    Cancelled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolKind {
    #[serde(rename = "read")]
    Read,
    #[serde(rename = "edit")]
    Edit,
    #[serde(rename = "delete")]
    Delete,
    #[serde(rename = "move")]
    Move,
    #[serde(rename = "search")]
    Search,
    #[serde(rename = "execute")]
    Execute,
    #[serde(rename = "think")]
    Think,
    #[serde(rename = "fetch")]
    Fetch,
    #[serde(rename = "switch_mode")]
    SwitchMode,
    #[serde(rename = "other")]
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    #[serde(rename = "user")]
    User,
    #[serde(rename = "agent")]
    Agent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SystemPromptMode {
    #[serde(rename = "append")]
    Append,
    #[serde(rename = "override")]
    Override,
}

/// The agent's name and capabilities. Print it as the first line. Turnwire replies with the session command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentInfoEvent {
    /// The agent's display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The content that the agent accepts in prompts, besides text and links. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptTakes>,
    /// Present if the agent uses the session's MCP servers. If absent, the user is told that the agent does not use them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp: Option<MCPTakes>,
    /// Present if the agent adds the editor's instructions to its own. The session command then contains them.
    #[serde(rename = "systemPrompt", default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<SystemPromptTakes>,
    /// Present if the agent reads steer commands during a turn, with the content that it accepts in them, besides text and links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steer: Option<PromptTakes>,
    /// The current and available modes, as in mode_changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes: Option<ModeState>,
    /// The current and available models, as in model_changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<ModelState>,
    /// The options, as in config_options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<ConfigOption>>,
    /// The slash commands, as in available_commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<SlashCommand>>,
    /// The agent stores its conversations. If the session command has resume, the agent continues the conversation of that sessionId. The command contains the value of the last state event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<bool>,
    /// The agent uses Turnwire's own tools to read, search, edit and run. The session command then lists them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<bool>,
    /// The agent stores no conversations. It reads the earlier messages from the prompt's history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<bool>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The turn starts, with this provider and model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunStartEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(rename = "traceId", default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// Additions to the prompt's context.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextMetaEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A piece of the agent's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextDeltaEvent {
    pub text: String,
    /// The message's id, shared by all its pieces. Optional.
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A piece of the agent's thoughts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThinkingDeltaEvent {
    pub thinking: String,
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// An image, audio, a link or an embedded resource in the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContentEvent {
    pub content: ContentBlock,
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A source for the answer, shown as a link in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CitationEvent {
    /// The source's URI. Editors show http, https and file URIs as links.
    pub uri: String,
    /// The link text. Default: the uri.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A user message that did not come from a prompt, such as one typed in another program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserMessageEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Content after the text, or instead of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<ContentBlock>>,
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent has read a steer command, or refuses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SteeredEvent {
    /// The id in the steer command.
    #[serde(rename = "steerId")]
    pub steer_id: String,
    /// Why the agent does not accept the message, which then becomes the next prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A new message starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MessageStartEvent {
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The message is complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MessageEndEvent {
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The model started to write a tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolPendingEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName")]
    pub tool_name: String,
    /// The id of the parent tool call or sub-agent.
    #[serde(rename = "parentToolCallId", default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
    /// A one-line title for the user, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The file changes of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent created with editor_request. The editor shows it in the tool call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A piece of the call's arguments, as JSON text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolArgsDeltaEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    pub delta: String,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The call is complete, but not running yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolReadyEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName")]
    pub tool_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    #[serde(rename = "parentToolCallId", default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
    /// A one-line title for the user, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The file changes of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent created with editor_request. The editor shows it in the tool call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The tool starts to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolStartEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName")]
    pub tool_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Audience>,
    #[serde(rename = "parentToolCallId", default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
    /// A one-line title for the user, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The file changes of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent created with editor_request. The editor shows it in the tool call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The tool's progress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolProgressEvent {
    /// Optional. Default: the only running call of this tool.
    #[serde(rename = "toolCallId", default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    #[serde(rename = "toolName", default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// Default: internal, which is not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Audience>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A piece of the tool's output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolOutputEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<OutputStream>,
    /// The text replaces all earlier output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace: Option<bool>,
    /// A terminal that the agent created with editor_request. The editor shows it in the tool call, and the text may be empty.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The tool call ended, successfully or not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolEndEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName", default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    pub ok: bool,
    /// The call was cancelled or refused. In that case, ok is false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<bool>,
    #[serde(rename = "durationMs", default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Audience>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<ContentBlock>>,
    #[serde(rename = "exitCode", default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// A one-line title for the user, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The file changes of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent created with editor_request. The editor shows it in the tool call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A request for permission to run a tool. The agent waits for tool_confirmation_response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolConfirmationRequestEvent {
    /// The request's id, which the answer repeats. Default: the tool call's id.
    #[serde(rename = "confirmationId", default, skip_serializing_if = "Option::is_none")]
    pub confirmation_id: Option<String>,
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName", default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// Why the agent asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The choices for the user. Default: allow_once and reject_once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Vec<Decision>>,
    /// Custom choices, shown in this order instead of decisions. Several may have the same kind. The answer contains the optionId of the chosen one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<ConfirmationOption>>,
    /// A one-line title for the user, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The file changes of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent created with editor_request. The editor shows it in the tool call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The permission request was answered elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolConfirmationResolvedEvent {
    #[serde(rename = "confirmationId", default, skip_serializing_if = "Option::is_none")]
    pub confirmation_id: Option<String>,
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    pub decision: Decision,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A question for the user. The agent waits for question_response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionEvent {
    #[serde(rename = "questionId")]
    pub question_id: String,
    pub question: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The choices. Default: free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// The user can select several options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple: Option<bool>,
    /// The user can also enter a custom answer.
    #[serde(rename = "allowCustom", default, skip_serializing_if = "Option::is_none")]
    pub allow_custom: Option<bool>,
    /// The fields of a form, instead of options. The answer contains their values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<FormField>>,
    /// A web page (http or https) to send the user to, instead of options and fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(rename = "toolCallId", default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The question was answered elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionAnsweredEvent {
    #[serde(rename = "questionId")]
    pub question_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<bool>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A request to the editor to read or write a file, or to run a command in a terminal. The agent waits for editor_response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorRequestEvent {
    /// The request's id, which the answer repeats.
    #[serde(rename = "requestId")]
    pub request_id: String,
    /// The action. The session command lists the editor's capabilities.
    pub action: EditorAction,
    /// The file to read or write. Absolute, or relative to the session's working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The complete new text of the file to write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The first line to read, starting at 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// The number of lines to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// The program to run in the new terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<Vec<EnvironmentVariable>>,
    /// The new terminal's working directory. Absolute, or relative to the session's working directory, which is the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The number of output bytes that the editor keeps. The oldest output is dropped first.
    #[serde(rename = "outputLimit", default, skip_serializing_if = "Option::is_none")]
    pub output_limit: Option<i64>,
    /// The terminal's id, for all actions on an existing terminal.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A request to run one of Turnwire's own tools. The agent waits for tool_response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolRequestEvent {
    /// The call's id, which the answer repeats. Unique in the session.
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    /// The name of a tool that the session command lists.
    #[serde(rename = "toolName")]
    pub tool_name: String,
    /// The call's arguments, as the tool's parameters describe them. A mistake in them is a failed call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Map<String, Value>>,
    /// The maximal length of the result in characters. Default: 50000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A tool call needs approval. This only announces it; the agent does not wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolApprovalRequiredEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName", default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The result of an approval.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolApprovalResponseEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    pub approved: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A plug-in needs a credential.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CredentialRequiredEvent {
    #[serde(rename = "pluginId")]
    pub plugin_id: String,
    #[serde(rename = "credentialKey", default, skip_serializing_if = "Option::is_none")]
    pub credential_key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(rename = "authUrl", default, skip_serializing_if = "Option::is_none")]
    pub auth_url: Option<String>,
    #[serde(rename = "sessionKey", default, skip_serializing_if = "Option::is_none")]
    pub session_key: Option<String>,
    #[serde(rename = "pendingUserMessage", default, skip_serializing_if = "Option::is_none")]
    pub pending_user_message: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The complete plan, or one of several plans.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanEvent {
    /// The plan's id, if there are several. Editors that support only one plan show the entries of all.
    #[serde(rename = "planId", default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<PlanEntry>>,
    /// The plan as text, instead of entries. Editors that only support entries show it as a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// A file with the plan, instead of entries. Editors that only support entries show it as a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A plan was removed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanRemovedEvent {
    /// The plan's id. Default: the plan without an id.
    #[serde(rename = "planId", default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// Information for the user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NoticeEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<NoticeSeverity>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent stopped itself, because of a budget or a watcher.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HaltEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    #[serde(rename = "toolName", default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    pub message: String,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A sub-agent starts a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SubagentStartEvent {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    #[serde(rename = "runId", default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    #[serde(rename = "parentRunId", default, skip_serializing_if = "Option::is_none")]
    pub parent_run_id: Option<String>,
    #[serde(rename = "parentToolCallId", default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The sub-agent finished its task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SubagentEndEvent {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(rename = "durationMs", default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A round with the model starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepStartEvent {
    #[serde(rename = "stepId", default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The round with the model ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepEndEvent {
    #[serde(rename = "stepId", default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The tokens and cost of one request to the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsageEvent {
    /// Input tokens, except those read from a cache.
    #[serde(rename = "inputTokens")]
    pub input_tokens: i64,
    #[serde(rename = "outputTokens")]
    pub output_tokens: i64,
    /// The cost of this request in US dollars.
    #[serde(rename = "estimatedCostUsd")]
    pub estimated_cost_usd: f64,
    #[serde(rename = "cacheReadTokens", default, skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<i64>,
    #[serde(rename = "cacheCreationTokens", default, skip_serializing_if = "Option::is_none")]
    pub cache_creation_tokens: Option<i64>,
    /// The model's context size in tokens. Editors show usage only if it is known.
    #[serde(rename = "contextWindow", default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<i64>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent shortened its context.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextCompactedEvent {
    #[serde(rename = "compactionId", default, skip_serializing_if = "Option::is_none")]
    pub compaction_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<CompactionStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The output of the current step is withdrawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamResetEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A value that Turnwire saves and returns to the agent when the session continues in a new process. Only the last one is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateEvent {
    /// Any value, up to 1 MB of JSON. The session command returns it to an agent that declared resume.
    pub state: Value,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent's complete shared state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateSnapshotEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A change to the shared state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateDeltaEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The complete state of an activity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActivitySnapshotEvent {
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    #[serde(rename = "activityType", default, skip_serializing_if = "Option::is_none")]
    pub activity_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace: Option<bool>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A change to an activity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActivityDeltaEvent {
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    #[serde(rename = "activityType", default, skip_serializing_if = "Option::is_none")]
    pub activity_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The session's title.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionTitleEvent {
    pub title: String,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent's slash commands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AvailableCommandsEvent {
    pub commands: Vec<SlashCommand>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent's current mode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModeChangedEvent {
    #[serde(rename = "modeId")]
    pub mode_id: String,
    /// The modes that set_option accepts. Default: the last list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<Vec<Choice>>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent's current model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelChangedEvent {
    #[serde(rename = "modelId")]
    pub model_id: String,
    /// The models that set_option accepts. Default: the last list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<Vec<Choice>>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// All options with their current values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfigOptionsEvent {
    pub options: Vec<ConfigOption>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent did not apply a set_option.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OptionRefusedEvent {
    #[serde(rename = "optionId")]
    pub option_id: String,
    /// The reason, for the user.
    pub error: String,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The tool calls that a dry run would have made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DryRunSummaryEvent {
    pub plan: Vec<PlannedCall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capped: Option<i64>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The evaluators' verdicts on the turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorsCompleteEvent {
    pub results: Vec<EvaluatorResult>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A message from a plug-in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NotificationReceivedEvent {
    #[serde(rename = "pluginId", default, skip_serializing_if = "Option::is_none")]
    pub plugin_id: Option<String>,
    #[serde(rename = "sessionKey", default, skip_serializing_if = "Option::is_none")]
    pub session_key: Option<String>,
    pub message: String,
    #[serde(rename = "startTurn", default, skip_serializing_if = "Option::is_none")]
    pub start_turn: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A named value for tools that observe the agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TelemetryEvent {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A failure. It ends the turn unless fatal is false.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorEvent {
    pub error: String,
    /// An error code for programs. Codes such as unauthorized make the editor offer a login.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// If false, the turn continues. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fatal: Option<bool>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The turn ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DoneEvent {
    pub text: String,
    #[serde(rename = "turnCount", default, skip_serializing_if = "Option::is_none")]
    pub turn_count: Option<i64>,
    #[serde(rename = "traceId", default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// Default: end_turn.
    #[serde(rename = "stopReason", default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChoiceGroup {
    pub id: String,
    pub name: String,
    pub choices: Vec<Choice>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfigOption {
    /// The option's id in set_option.
    pub id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The category: mode, model, model_config or thought_level. Custom categories begin with _.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    pub kind: ConfigOptionKind,
    /// The current value: the id of a choice, or true or false.
    pub value: OptionValue,
    /// The choices of a select.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Choice>>,
    /// The choices of a select, in groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<ChoiceGroup>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfirmationOption {
    /// The option's id in the answer. It is unique within the request.
    pub id: String,
    /// The label. Default: the usual label for the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The decision that this option stands for. The answer contains it.
    pub kind: ConfirmationOptionKind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContentBlock {
    #[serde(rename = "type")]
    pub kind: ContentType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    #[serde(rename = "mimeType", default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<EmbeddedResource>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EmbeddedResource {
    pub uri: String,
    #[serde(rename = "mimeType", default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentVariable {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorResult {
    pub name: String,
    pub pass: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FieldOption {
    /// The value in the answer.
    pub value: String,
    /// The label. Default: the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileDiff {
    pub path: String,
    /// The text before the change. Absent for a new file.
    #[serde(rename = "oldText", default, skip_serializing_if = "Option::is_none")]
    pub old_text: Option<String>,
    #[serde(rename = "newText")]
    pub new_text: String,
    /// The line at which newText begins in the new file. Only if the texts are a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileLocation {
    /// Absolute, or relative to the session's working directory.
    pub path: String,
    /// The line number, starting at 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FormField {
    /// The name of the value in the answer. It is unique within the question.
    pub name: String,
    /// Default: choice if there are options, otherwise string. choices allows any number of options.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FieldType>,
    /// The label. Default: the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The question can't be answered without this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// A string that the editor hides during input, such as a password. It is only requested from editors with forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<bool>,
    /// The initial value, of the field's type. The user must still submit it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The options to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<FieldOption>>,
    /// The format of a string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FieldFormat>,
    /// A regular expression for a string. Editors check it, Turnwire doesn't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The minimum length of a string, in characters.
    #[serde(rename = "minLength", default, skip_serializing_if = "Option::is_none")]
    pub min_length: Option<i64>,
    #[serde(rename = "maxLength", default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<i64>,
    /// The minimum of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    /// The minimum number of selected options.
    #[serde(rename = "minItems", default, skip_serializing_if = "Option::is_none")]
    pub min_items: Option<i64>,
    #[serde(rename = "maxItems", default, skip_serializing_if = "Option::is_none")]
    pub max_items: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MCPTakes {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sse: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModeState {
    #[serde(rename = "modeId")]
    pub mode_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<Vec<Choice>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelState {
    #[serde(rename = "modelId")]
    pub model_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<Vec<Choice>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanEntry {
    pub content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<PlanEntryStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<PlanEntryPriority>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlannedCall {
    #[serde(rename = "toolCallId", default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    #[serde(rename = "toolName")]
    pub tool_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptTakes {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audio: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SlashCommand {
    /// The name without the slash.
    pub name: String,
    pub description: String,
    /// A hint for the command's arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SystemPromptTakes {
    /// The editor's instructions can replace the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace: Option<bool>,
}

/// Describes the session. Sent once, and only if the agent printed agent_info.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    /// The session's working directory, absolute.
    pub cwd: String,
    /// Additional directories of the session, absolute.
    pub roots: Vec<String>,
    /// The MCP servers to use, as the editor sent them: name, command, args and env, or name, type (http or sse), url and headers.
    #[serde(rename = "mcpServers")]
    pub mcp_servers: Vec<Value>,
    /// The editor's name and capabilities.
    pub editor: Editor,
    /// The editor's instructions. Present only if agent_info has systemPrompt.
    #[serde(rename = "systemPrompt", default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<SystemPrompt>,
    /// The tools that the agent can call with tool_request. Present only if agent_info has tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<OfferedTool>>,
    /// The session is an earlier one with the same sessionId. Present only if agent_info has resume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<bool>,
    /// The id of the session that this one is a copy of. The original continues, and the copy has a new sessionId. Present only with resume.
    #[serde(rename = "forkOf", default, skip_serializing_if = "Option::is_none")]
    pub fork_of: Option<String>,
    /// The value of the session's last state event. Present only with resume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Value>,
}

/// Starts a turn. The agent ends it with the event done or a fatal error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    /// The turn's id. Events may repeat it.
    #[serde(rename = "turnId")]
    pub turn_id: String,
    /// The session's working directory, absolute.
    pub cwd: String,
    /// The prompt as text: its text blocks, links and resources, joined.
    pub text: String,
    /// The prompt's content blocks, as the editor sent them.
    pub prompt: Vec<ContentBlock>,
    /// The turn's W3C trace context. Present only if the editor sends one or Turnwire exports traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    /// Vendor-specific trace data that belongs to traceparent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracestate: Option<String>,
    /// The session's earlier messages, oldest first. Present only in the first prompt after a process starts in an existing session, and only if agent_info has history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<HistoryEntry>>,
}

/// A message from the user for the running turn. Sent only if agent_info has steer. The agent prints steered once it has read it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SteerCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    /// The running turn.
    #[serde(rename = "turnId")]
    pub turn_id: String,
    /// The message's id. The agent copies it to steered.
    #[serde(rename = "steerId")]
    pub steer_id: String,
    /// The message as text: its text blocks, links and resources, joined.
    pub text: String,
    /// The message's content blocks, as the editor sent them.
    pub prompt: Vec<ContentBlock>,
}

/// Cancels the turn. The agent ends it with the event done and the stopReason cancelled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CancelCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
}

/// Answers tool_confirmation_request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolConfirmationResponseCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
    /// The request's confirmationId, if it had one.
    #[serde(rename = "confirmationId", default, skip_serializing_if = "Option::is_none")]
    pub confirmation_id: Option<String>,
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    /// Only allow_once and allow_always permit the call.
    pub decision: Decision,
    /// The chosen option, if the request had options. The decision is the option's kind.
    #[serde(rename = "optionId", default, skip_serializing_if = "Option::is_none")]
    pub option_id: Option<String>,
    /// Why the request was refused without asking the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Answers question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionResponseCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
    #[serde(rename = "questionId")]
    pub question_id: String,
    /// The selected option or the text. Several options are joined with a comma and a space.
    pub answer: String,
    /// The selected options as a list, if several were allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
    /// The values by field name, if the question had fields. Each has its field's type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Map<String, Value>>,
    /// The user did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<bool>,
    /// The user declined to answer, if the editor reports that. In that case, cancelled is true too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<bool>,
    /// Why the question was refused without asking the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Answers editor_request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EditorResponseCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
    #[serde(rename = "requestId")]
    pub request_id: String,
    /// The request succeeded.
    pub ok: bool,
    /// Why the request failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The text read from the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The id of the new terminal.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The terminal's output so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The beginning of the output was dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// The terminal's command has exited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exited: Option<bool>,
    #[serde(rename = "exitCode", default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// The signal that terminated the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
}

/// Answers tool_request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolResponseCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    /// The call succeeded.
    pub ok: bool,
    /// The result, or what went wrong, for the model.
    pub text: String,
    /// The user did not allow the call, or did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<bool>,
    /// The turn was cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<bool>,
    /// A part of the result is left out, as the text says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
}

/// Sets an offered option. The agent reports the new value with mode_changed, model_changed or config_options, or refuses with option_refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetOptionCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    /// The id in config_options, or mode or model for the values of mode_changed and model_changed.
    #[serde(rename = "optionId")]
    pub option_id: String,
    /// The id of an offered choice, or true or false.
    pub value: OptionValue,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Editor {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The editor can read files, including unsaved changes.
    #[serde(rename = "readFile")]
    pub read_file: bool,
    /// The editor can write files.
    #[serde(rename = "writeFile")]
    pub write_file: bool,
    /// The editor can run commands in its own terminals.
    pub terminal: bool,
    /// The editor can show forms with several fields.
    pub forms: bool,
    /// The editor can send the user to a web page.
    pub pages: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    pub role: Role,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OfferedTool {
    pub name: String,
    /// What the tool does, for a model.
    pub description: String,
    /// The JSON Schema of the tool's arguments.
    pub parameters: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SystemPrompt {
    /// Whether the text is added to the agent's own instructions or replaces them.
    pub mode: SystemPromptMode,
    pub text: String,
}

/// The value of an option: the id of a choice, or true or false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    Choice(String),
    Switch(bool),
}

/// One line that an agent prints to stdout. Unlisted members are kept, and events of unlisted types are passed on unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[allow(clippy::large_enum_variant)]
pub enum AgentEvent {
    #[serde(rename = "agent_info")]
    AgentInfo(AgentInfoEvent),
    #[serde(rename = "run_start")]
    RunStart(RunStartEvent),
    #[serde(rename = "context_meta")]
    ContextMeta(ContextMetaEvent),
    #[serde(rename = "text_delta")]
    TextDelta(TextDeltaEvent),
    #[serde(rename = "thinking_delta")]
    ThinkingDelta(ThinkingDeltaEvent),
    #[serde(rename = "content")]
    Content(ContentEvent),
    #[serde(rename = "citation")]
    Citation(CitationEvent),
    #[serde(rename = "user_message")]
    UserMessage(UserMessageEvent),
    #[serde(rename = "steered")]
    Steered(SteeredEvent),
    #[serde(rename = "message_start")]
    MessageStart(MessageStartEvent),
    #[serde(rename = "message_end")]
    MessageEnd(MessageEndEvent),
    #[serde(rename = "tool_pending")]
    ToolPending(ToolPendingEvent),
    #[serde(rename = "tool_args_delta")]
    ToolArgsDelta(ToolArgsDeltaEvent),
    #[serde(rename = "tool_ready")]
    ToolReady(ToolReadyEvent),
    #[serde(rename = "tool_start")]
    ToolStart(ToolStartEvent),
    #[serde(rename = "tool_progress")]
    ToolProgress(ToolProgressEvent),
    #[serde(rename = "tool_output")]
    ToolOutput(ToolOutputEvent),
    #[serde(rename = "tool_end")]
    ToolEnd(ToolEndEvent),
    #[serde(rename = "tool_confirmation_request")]
    ToolConfirmationRequest(ToolConfirmationRequestEvent),
    #[serde(rename = "tool_confirmation_resolved")]
    ToolConfirmationResolved(ToolConfirmationResolvedEvent),
    #[serde(rename = "question")]
    Question(QuestionEvent),
    #[serde(rename = "question_answered")]
    QuestionAnswered(QuestionAnsweredEvent),
    #[serde(rename = "editor_request")]
    EditorRequest(EditorRequestEvent),
    #[serde(rename = "tool_request")]
    ToolRequest(ToolRequestEvent),
    #[serde(rename = "tool_approval_required")]
    ToolApprovalRequired(ToolApprovalRequiredEvent),
    #[serde(rename = "tool_approval_response")]
    ToolApprovalResponse(ToolApprovalResponseEvent),
    #[serde(rename = "credential_required")]
    CredentialRequired(CredentialRequiredEvent),
    #[serde(rename = "plan")]
    Plan(PlanEvent),
    #[serde(rename = "plan_removed")]
    PlanRemoved(PlanRemovedEvent),
    #[serde(rename = "notice")]
    Notice(NoticeEvent),
    #[serde(rename = "halt")]
    Halt(HaltEvent),
    #[serde(rename = "subagent_start")]
    SubagentStart(SubagentStartEvent),
    #[serde(rename = "subagent_end")]
    SubagentEnd(SubagentEndEvent),
    #[serde(rename = "step_start")]
    StepStart(StepStartEvent),
    #[serde(rename = "step_end")]
    StepEnd(StepEndEvent),
    #[serde(rename = "usage")]
    Usage(UsageEvent),
    #[serde(rename = "context_compacted")]
    ContextCompacted(ContextCompactedEvent),
    #[serde(rename = "stream_reset")]
    StreamReset(StreamResetEvent),
    #[serde(rename = "state")]
    State(StateEvent),
    #[serde(rename = "state_snapshot")]
    StateSnapshot(StateSnapshotEvent),
    #[serde(rename = "state_delta")]
    StateDelta(StateDeltaEvent),
    #[serde(rename = "activity_snapshot")]
    ActivitySnapshot(ActivitySnapshotEvent),
    #[serde(rename = "activity_delta")]
    ActivityDelta(ActivityDeltaEvent),
    #[serde(rename = "session_title")]
    SessionTitle(SessionTitleEvent),
    #[serde(rename = "available_commands")]
    AvailableCommands(AvailableCommandsEvent),
    #[serde(rename = "mode_changed")]
    ModeChanged(ModeChangedEvent),
    #[serde(rename = "model_changed")]
    ModelChanged(ModelChangedEvent),
    #[serde(rename = "config_options")]
    ConfigOptions(ConfigOptionsEvent),
    #[serde(rename = "option_refused")]
    OptionRefused(OptionRefusedEvent),
    #[serde(rename = "dry_run_summary")]
    DryRunSummary(DryRunSummaryEvent),
    #[serde(rename = "evaluators_complete")]
    EvaluatorsComplete(EvaluatorsCompleteEvent),
    #[serde(rename = "notification_received")]
    NotificationReceived(NotificationReceivedEvent),
    #[serde(rename = "telemetry")]
    Telemetry(TelemetryEvent),
    #[serde(rename = "error")]
    Error(ErrorEvent),
    #[serde(rename = "done")]
    Done(DoneEvent),
}

impl From<AgentInfoEvent> for AgentEvent {
    fn from(value: AgentInfoEvent) -> Self {
        AgentEvent::AgentInfo(value)
    }
}

impl From<RunStartEvent> for AgentEvent {
    fn from(value: RunStartEvent) -> Self {
        AgentEvent::RunStart(value)
    }
}

impl From<ContextMetaEvent> for AgentEvent {
    fn from(value: ContextMetaEvent) -> Self {
        AgentEvent::ContextMeta(value)
    }
}

impl From<TextDeltaEvent> for AgentEvent {
    fn from(value: TextDeltaEvent) -> Self {
        AgentEvent::TextDelta(value)
    }
}

impl From<ThinkingDeltaEvent> for AgentEvent {
    fn from(value: ThinkingDeltaEvent) -> Self {
        AgentEvent::ThinkingDelta(value)
    }
}

impl From<ContentEvent> for AgentEvent {
    fn from(value: ContentEvent) -> Self {
        AgentEvent::Content(value)
    }
}

impl From<CitationEvent> for AgentEvent {
    fn from(value: CitationEvent) -> Self {
        AgentEvent::Citation(value)
    }
}

impl From<UserMessageEvent> for AgentEvent {
    fn from(value: UserMessageEvent) -> Self {
        AgentEvent::UserMessage(value)
    }
}

impl From<SteeredEvent> for AgentEvent {
    fn from(value: SteeredEvent) -> Self {
        AgentEvent::Steered(value)
    }
}

impl From<MessageStartEvent> for AgentEvent {
    fn from(value: MessageStartEvent) -> Self {
        AgentEvent::MessageStart(value)
    }
}

impl From<MessageEndEvent> for AgentEvent {
    fn from(value: MessageEndEvent) -> Self {
        AgentEvent::MessageEnd(value)
    }
}

impl From<ToolPendingEvent> for AgentEvent {
    fn from(value: ToolPendingEvent) -> Self {
        AgentEvent::ToolPending(value)
    }
}

impl From<ToolArgsDeltaEvent> for AgentEvent {
    fn from(value: ToolArgsDeltaEvent) -> Self {
        AgentEvent::ToolArgsDelta(value)
    }
}

impl From<ToolReadyEvent> for AgentEvent {
    fn from(value: ToolReadyEvent) -> Self {
        AgentEvent::ToolReady(value)
    }
}

impl From<ToolStartEvent> for AgentEvent {
    fn from(value: ToolStartEvent) -> Self {
        AgentEvent::ToolStart(value)
    }
}

impl From<ToolProgressEvent> for AgentEvent {
    fn from(value: ToolProgressEvent) -> Self {
        AgentEvent::ToolProgress(value)
    }
}

impl From<ToolOutputEvent> for AgentEvent {
    fn from(value: ToolOutputEvent) -> Self {
        AgentEvent::ToolOutput(value)
    }
}

impl From<ToolEndEvent> for AgentEvent {
    fn from(value: ToolEndEvent) -> Self {
        AgentEvent::ToolEnd(value)
    }
}

impl From<ToolConfirmationRequestEvent> for AgentEvent {
    fn from(value: ToolConfirmationRequestEvent) -> Self {
        AgentEvent::ToolConfirmationRequest(value)
    }
}

impl From<ToolConfirmationResolvedEvent> for AgentEvent {
    fn from(value: ToolConfirmationResolvedEvent) -> Self {
        AgentEvent::ToolConfirmationResolved(value)
    }
}

impl From<QuestionEvent> for AgentEvent {
    fn from(value: QuestionEvent) -> Self {
        AgentEvent::Question(value)
    }
}

impl From<QuestionAnsweredEvent> for AgentEvent {
    fn from(value: QuestionAnsweredEvent) -> Self {
        AgentEvent::QuestionAnswered(value)
    }
}

impl From<EditorRequestEvent> for AgentEvent {
    fn from(value: EditorRequestEvent) -> Self {
        AgentEvent::EditorRequest(value)
    }
}

impl From<ToolRequestEvent> for AgentEvent {
    fn from(value: ToolRequestEvent) -> Self {
        AgentEvent::ToolRequest(value)
    }
}

impl From<ToolApprovalRequiredEvent> for AgentEvent {
    fn from(value: ToolApprovalRequiredEvent) -> Self {
        AgentEvent::ToolApprovalRequired(value)
    }
}

impl From<ToolApprovalResponseEvent> for AgentEvent {
    fn from(value: ToolApprovalResponseEvent) -> Self {
        AgentEvent::ToolApprovalResponse(value)
    }
}

impl From<CredentialRequiredEvent> for AgentEvent {
    fn from(value: CredentialRequiredEvent) -> Self {
        AgentEvent::CredentialRequired(value)
    }
}

impl From<PlanEvent> for AgentEvent {
    fn from(value: PlanEvent) -> Self {
        AgentEvent::Plan(value)
    }
}

impl From<PlanRemovedEvent> for AgentEvent {
    fn from(value: PlanRemovedEvent) -> Self {
        AgentEvent::PlanRemoved(value)
    }
}

impl From<NoticeEvent> for AgentEvent {
    fn from(value: NoticeEvent) -> Self {
        AgentEvent::Notice(value)
    }
}

impl From<HaltEvent> for AgentEvent {
    fn from(value: HaltEvent) -> Self {
        AgentEvent::Halt(value)
    }
}

impl From<SubagentStartEvent> for AgentEvent {
    fn from(value: SubagentStartEvent) -> Self {
        AgentEvent::SubagentStart(value)
    }
}

impl From<SubagentEndEvent> for AgentEvent {
    fn from(value: SubagentEndEvent) -> Self {
        AgentEvent::SubagentEnd(value)
    }
}

impl From<StepStartEvent> for AgentEvent {
    fn from(value: StepStartEvent) -> Self {
        AgentEvent::StepStart(value)
    }
}

impl From<StepEndEvent> for AgentEvent {
    fn from(value: StepEndEvent) -> Self {
        AgentEvent::StepEnd(value)
    }
}

impl From<UsageEvent> for AgentEvent {
    fn from(value: UsageEvent) -> Self {
        AgentEvent::Usage(value)
    }
}

impl From<ContextCompactedEvent> for AgentEvent {
    fn from(value: ContextCompactedEvent) -> Self {
        AgentEvent::ContextCompacted(value)
    }
}

impl From<StreamResetEvent> for AgentEvent {
    fn from(value: StreamResetEvent) -> Self {
        AgentEvent::StreamReset(value)
    }
}

impl From<StateEvent> for AgentEvent {
    fn from(value: StateEvent) -> Self {
        AgentEvent::State(value)
    }
}

impl From<StateSnapshotEvent> for AgentEvent {
    fn from(value: StateSnapshotEvent) -> Self {
        AgentEvent::StateSnapshot(value)
    }
}

impl From<StateDeltaEvent> for AgentEvent {
    fn from(value: StateDeltaEvent) -> Self {
        AgentEvent::StateDelta(value)
    }
}

impl From<ActivitySnapshotEvent> for AgentEvent {
    fn from(value: ActivitySnapshotEvent) -> Self {
        AgentEvent::ActivitySnapshot(value)
    }
}

impl From<ActivityDeltaEvent> for AgentEvent {
    fn from(value: ActivityDeltaEvent) -> Self {
        AgentEvent::ActivityDelta(value)
    }
}

impl From<SessionTitleEvent> for AgentEvent {
    fn from(value: SessionTitleEvent) -> Self {
        AgentEvent::SessionTitle(value)
    }
}

impl From<AvailableCommandsEvent> for AgentEvent {
    fn from(value: AvailableCommandsEvent) -> Self {
        AgentEvent::AvailableCommands(value)
    }
}

impl From<ModeChangedEvent> for AgentEvent {
    fn from(value: ModeChangedEvent) -> Self {
        AgentEvent::ModeChanged(value)
    }
}

impl From<ModelChangedEvent> for AgentEvent {
    fn from(value: ModelChangedEvent) -> Self {
        AgentEvent::ModelChanged(value)
    }
}

impl From<ConfigOptionsEvent> for AgentEvent {
    fn from(value: ConfigOptionsEvent) -> Self {
        AgentEvent::ConfigOptions(value)
    }
}

impl From<OptionRefusedEvent> for AgentEvent {
    fn from(value: OptionRefusedEvent) -> Self {
        AgentEvent::OptionRefused(value)
    }
}

impl From<DryRunSummaryEvent> for AgentEvent {
    fn from(value: DryRunSummaryEvent) -> Self {
        AgentEvent::DryRunSummary(value)
    }
}

impl From<EvaluatorsCompleteEvent> for AgentEvent {
    fn from(value: EvaluatorsCompleteEvent) -> Self {
        AgentEvent::EvaluatorsComplete(value)
    }
}

impl From<NotificationReceivedEvent> for AgentEvent {
    fn from(value: NotificationReceivedEvent) -> Self {
        AgentEvent::NotificationReceived(value)
    }
}

impl From<TelemetryEvent> for AgentEvent {
    fn from(value: TelemetryEvent) -> Self {
        AgentEvent::Telemetry(value)
    }
}

impl From<ErrorEvent> for AgentEvent {
    fn from(value: ErrorEvent) -> Self {
        AgentEvent::Error(value)
    }
}

impl From<DoneEvent> for AgentEvent {
    fn from(value: DoneEvent) -> Self {
        AgentEvent::Done(value)
    }
}

/// One line that an agent reads from stdin. An agent should ignore unknown commands and members. It should exit when stdin ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[allow(clippy::large_enum_variant)]
pub enum AgentCommand {
    #[serde(rename = "session")]
    Session(SessionCommand),
    #[serde(rename = "prompt")]
    Prompt(PromptCommand),
    #[serde(rename = "steer")]
    Steer(SteerCommand),
    #[serde(rename = "cancel")]
    Cancel(CancelCommand),
    #[serde(rename = "tool_confirmation_response")]
    ToolConfirmationResponse(ToolConfirmationResponseCommand),
    #[serde(rename = "question_response")]
    QuestionResponse(QuestionResponseCommand),
    #[serde(rename = "editor_response")]
    EditorResponse(EditorResponseCommand),
    #[serde(rename = "tool_response")]
    ToolResponse(ToolResponseCommand),
    #[serde(rename = "set_option")]
    SetOption(SetOptionCommand),
}

impl From<SessionCommand> for AgentCommand {
    fn from(value: SessionCommand) -> Self {
        AgentCommand::Session(value)
    }
}

impl From<PromptCommand> for AgentCommand {
    fn from(value: PromptCommand) -> Self {
        AgentCommand::Prompt(value)
    }
}

impl From<SteerCommand> for AgentCommand {
    fn from(value: SteerCommand) -> Self {
        AgentCommand::Steer(value)
    }
}

impl From<CancelCommand> for AgentCommand {
    fn from(value: CancelCommand) -> Self {
        AgentCommand::Cancel(value)
    }
}

impl From<ToolConfirmationResponseCommand> for AgentCommand {
    fn from(value: ToolConfirmationResponseCommand) -> Self {
        AgentCommand::ToolConfirmationResponse(value)
    }
}

impl From<QuestionResponseCommand> for AgentCommand {
    fn from(value: QuestionResponseCommand) -> Self {
        AgentCommand::QuestionResponse(value)
    }
}

impl From<EditorResponseCommand> for AgentCommand {
    fn from(value: EditorResponseCommand) -> Self {
        AgentCommand::EditorResponse(value)
    }
}

impl From<ToolResponseCommand> for AgentCommand {
    fn from(value: ToolResponseCommand) -> Self {
        AgentCommand::ToolResponse(value)
    }
}

impl From<SetOptionCommand> for AgentCommand {
    fn from(value: SetOptionCommand) -> Self {
        AgentCommand::SetOption(value)
    }
}
