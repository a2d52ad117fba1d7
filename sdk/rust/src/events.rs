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

/// What the agent is and can do; best as the first line that it prints. The agent is told of its session then, with the command session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentInfoEvent {
    /// The agent's name for users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What prompts may hold beside text and links. Absent: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptTakes>,
    /// Present if the agent uses the MCP servers that it is told of. Absent: the user is told that nothing uses them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp: Option<MCPTakes>,
    /// Present if the agent adds instructions of the editor to its own: session has them then.
    #[serde(rename = "systemPrompt", default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<SystemPromptTakes>,
    /// The same as mode_changed says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes: Option<ModeState>,
    /// The same as model_changed says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<ModelState>,
    /// The same as config_options says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<ConfigOption>>,
    /// The same as available_commands says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<SlashCommand>>,
    /// The agent keeps its conversations, and goes on with the one of a sessionId where session says resume. It is given the state of its last state event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<bool>,
    /// The agent keeps nothing, and reads in a prompt's history what was said before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<bool>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The turn begins, with this provider and model.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// What was put into the prompt's context.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextMetaEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A piece of the answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextDeltaEvent {
    pub text: String,
    /// Pieces of one message share it. Optional.
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A piece of the agent's thoughts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThinkingDeltaEvent {
    pub thinking: String,
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// An image, audio, a link or an embedded resource as a part of the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContentEvent {
    pub content: ContentBlock,
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A source of what the answer says, shown as a link in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CitationEvent {
    /// Where the source is. Editors show http and https and file as links.
    pub uri: String,
    /// What the link says. Absent: the uri.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A message of the user that no prompt has had, such as one that was typed elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserMessageEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What follows the text, or takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<ContentBlock>>,
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A new message begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MessageStartEvent {
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The message is complete.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MessageEndEvent {
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The model has begun to write a tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolPendingEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName")]
    pub tool_name: String,
    /// The call (of a sub-agent) that this one belongs to.
    #[serde(rename = "parentToolCallId", default, skip_serializing_if = "Option::is_none")]
    pub parent_tool_call_id: Option<String>,
    /// One line for people, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The changes that the call makes or has made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent has created with editor_request: the editor shows it in the call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A piece of the call's arguments as JSON text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolArgsDeltaEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    pub delta: String,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The call is complete and waits to run.
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
    /// One line for people, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The changes that the call makes or has made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent has created with editor_request: the editor shows it in the call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The tool runs.
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
    /// One line for people, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The changes that the call makes or has made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent has created with editor_request: the editor shows it in the call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The progress of the tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolProgressEvent {
    /// Optional: without it the progress belongs to the only running call of that name.
    #[serde(rename = "toolCallId", default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    #[serde(rename = "toolName", default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// Absent means internal: not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audience: Option<Audience>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
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
    /// The text replaces the output so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace: Option<bool>,
    /// A terminal that the agent has created with editor_request: the editor shows it in the call. The text may be empty then.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The tool call has ended, successfully or not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolEndEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName", default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    pub ok: bool,
    /// The call was cancelled or refused; ok is false then.
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
    /// One line for people, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The changes that the call makes or has made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent has created with editor_request: the editor shows it in the call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// May this tool run? The agent waits for tool_confirmation_response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolConfirmationRequestEvent {
    /// Names this request; the answer repeats it. Absent: the call's id names it.
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
    /// What the user can choose. Absent: allow_once and reject_once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Vec<Decision>>,
    /// Choices of the agent's own, in their order and in place of decisions. Several may be of one kind. The answer has the optionId of the chosen one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<ConfirmationOption>>,
    /// One line for people, such as Read main.go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The icon to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ToolKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<FileLocation>>,
    /// The changes that the call makes or has made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diffs: Option<Vec<FileDiff>>,
    /// A terminal that the agent has created with editor_request: the editor shows it in the call.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The confirmation was decided elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolConfirmationResolvedEvent {
    #[serde(rename = "confirmationId", default, skip_serializing_if = "Option::is_none")]
    pub confirmation_id: Option<String>,
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    pub decision: Decision,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A question to the user. The agent waits for question_response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionEvent {
    #[serde(rename = "questionId")]
    pub question_id: String,
    pub question: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// Choices. Absent: any text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// More than one choice may be taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiple: Option<bool>,
    /// An answer beside the choices is welcome.
    #[serde(rename = "allowCustom", default, skip_serializing_if = "Option::is_none")]
    pub allow_custom: Option<bool>,
    /// Several values to ask for, in place of options. The answer has them in values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<FormField>>,
    /// A page (http or https) to send the user to, in place of options and fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(rename = "toolCallId", default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// Have the editor read or write a file, or run a command in a terminal. The agent waits for editor_response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EditorRequestEvent {
    /// Names this request; the answer repeats it.
    #[serde(rename = "requestId")]
    pub request_id: String,
    /// What to do. The command session says what the editor can do.
    pub action: EditorAction,
    /// The file to read or write; absolute or relative to the session's working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The whole new text of a file that is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The first line to read, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// How many lines to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// The program that a new terminal runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<Vec<EnvironmentVariable>>,
    /// Where a new terminal runs; absolute or relative to the session's working directory. Absent: there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// How many bytes of a terminal's output the editor keeps: the last ones.
    #[serde(rename = "outputLimit", default, skip_serializing_if = "Option::is_none")]
    pub output_limit: Option<i64>,
    /// The terminal that was created; for all other actions on it.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A call needs approval. This is only an announcement; the agent does not wait.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolApprovalRequiredEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    #[serde(rename = "toolName", default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// Whether that approval was given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolApprovalResponseEvent {
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    pub approved: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The whole current plan, or one of several.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanEvent {
    /// Names the plan where there are several. Editors that know one plan are shown the entries of all.
    #[serde(rename = "planId", default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<Vec<PlanEntry>>,
    /// The plan as text, in place of entries. Editors that know plans of entries alone show it as a message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markdown: Option<String>,
    /// A file that holds the plan, in place of entries. Editors that know plans of entries alone show it as a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// There is no such plan any more.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanRemovedEvent {
    /// That of the plan. Absent: the plan without an id.
    #[serde(rename = "planId", default, skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// Something that the user should know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NoticeEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<NoticeSeverity>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent stopped itself: a budget or a watcher.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A sub-agent begins a task.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The sub-agent is done.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A round with the model begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepStartEvent {
    #[serde(rename = "stepId", default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The round is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepEndEvent {
    #[serde(rename = "stepId", default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// Tokens and cost of one request to the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UsageEvent {
    /// Tokens that were not read from a cache.
    #[serde(rename = "inputTokens")]
    pub input_tokens: i64,
    #[serde(rename = "outputTokens")]
    pub output_tokens: i64,
    /// Cost of this request alone in US dollars.
    #[serde(rename = "estimatedCostUsd")]
    pub estimated_cost_usd: f64,
    #[serde(rename = "cacheReadTokens", default, skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<i64>,
    #[serde(rename = "cacheCreationTokens", default, skip_serializing_if = "Option::is_none")]
    pub cache_creation_tokens: Option<i64>,
    /// The largest number of tokens that the model can have in its context. Editors show usage only when it is known.
    #[serde(rename = "contextWindow", default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<i64>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The output of the current step is void.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StreamResetEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// What to give the agent when the session goes on in another process. The last one counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateEvent {
    /// Any value, at most 1 MB of JSON. The command session returns it to an agent that has said resume.
    pub state: Value,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent's whole shared state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateSnapshotEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A change of the shared state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateDeltaEvent {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The whole state of an activity.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A change of an activity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActivityDeltaEvent {
    #[serde(rename = "messageId", default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    #[serde(rename = "activityType", default, skip_serializing_if = "Option::is_none")]
    pub activity_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The session's title.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionTitleEvent {
    pub title: String,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent's slash commands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AvailableCommandsEvent {
    pub commands: Vec<SlashCommand>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent's mode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModeChangedEvent {
    #[serde(rename = "modeId")]
    pub mode_id: String,
    /// The modes that can be chosen with set_option. Absent: the modes that were listed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<Vec<Choice>>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent's model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelChangedEvent {
    #[serde(rename = "modelId")]
    pub model_id: String,
    /// The models that can be chosen with set_option. Absent: the models that were listed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available: Option<Vec<Choice>>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// All options with their current values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfigOptionsEvent {
    pub options: Vec<ConfigOption>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The agent did not apply a set_option.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OptionRefusedEvent {
    #[serde(rename = "optionId")]
    pub option_id: String,
    /// Why; for the user.
    pub error: String,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// What a dry run would have done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DryRunSummaryEvent {
    pub plan: Vec<PlannedCall>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capped: Option<i64>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// Verdicts of evaluators on the turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorsCompleteEvent {
    pub results: Vec<EvaluatorResult>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
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
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A named value for tools that observe the agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TelemetryEvent {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// A failure; ends the turn unless fatal is false.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorEvent {
    pub error: String,
    /// Opaque, for programs. unauthorized and the like make the editor offer a login.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// false: the turn goes on. Absent means true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fatal: Option<bool>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
    #[serde(rename = "turnId", default, skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// The turn is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DoneEvent {
    pub text: String,
    #[serde(rename = "turnCount", default, skip_serializing_if = "Option::is_none")]
    pub turn_count: Option<i64>,
    #[serde(rename = "traceId", default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// Absent means end_turn.
    #[serde(rename = "stopReason", default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    /// The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped.
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
    /// Names the option in set_option.
    pub id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is about: mode, model, model_config or thought_level; names of your own begin with _.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    pub kind: ConfigOptionKind,
    /// What is set: the id of a choice, or true or false.
    pub value: OptionValue,
    /// What can be chosen, for a select.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Choice>>,
    /// The same in groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<ChoiceGroup>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfirmationOption {
    /// Names the option in the answer. No other option of the request has it.
    pub id: String,
    /// What the user reads. Absent: the usual words for the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What choosing it means. It is the decision of the answer.
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
    /// What the answer holds.
    pub value: String,
    /// What the user reads. Absent: the value.
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
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileLocation {
    /// Absolute or relative to the session's working directory.
    pub path: String,
    /// 1-based line number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FormField {
    /// Names the value in the answer. No other field of the question has it.
    pub name: String,
    /// Absent: choice where there are options and string otherwise. choices means any number of the options.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FieldType>,
    /// What the user reads. Absent: the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The question cannot be answered without this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// A string that nobody should read along. Editors without forms are not asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<bool>,
    /// What the field holds at first; of the field's type. It is no answer by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// What can be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<FieldOption>>,
    /// What a string looks like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FieldFormat>,
    /// A regular expression for a string. Editors check it; Turnwire does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Characters in a string.
    #[serde(rename = "minLength", default, skip_serializing_if = "Option::is_none")]
    pub min_length: Option<i64>,
    #[serde(rename = "maxLength", default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<i64>,
    /// The smallest number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    /// How many options must be chosen.
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
    /// Without the slash.
    pub name: String,
    pub description: String,
    /// What to type after the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SystemPromptTakes {
    /// They can take the place of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace: Option<bool>,
}

/// What the session is. Only an agent that has printed agent_info gets it, once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    /// The session's working directory, absolute.
    pub cwd: String,
    /// Further directories of the session, absolute.
    pub roots: Vec<String>,
    /// The MCP servers to use, as the editor gave them: name and command and args and env, or type (http or sse) and url and headers.
    #[serde(rename = "mcpServers")]
    pub mcp_servers: Vec<Value>,
    /// What the editor is and can do.
    pub editor: Editor,
    /// Instructions of the editor. Only for agents that have said systemPrompt.
    #[serde(rename = "systemPrompt", default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<SystemPrompt>,
    /// The session goes on that had this sessionId before. Only for agents that have said resume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<bool>,
    /// The session began as a copy of that one, which goes on too; sessionId is new then. Only with resume.
    #[serde(rename = "forkOf", default, skip_serializing_if = "Option::is_none")]
    pub fork_of: Option<String>,
    /// What the last state event of the session had. Only with resume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Value>,
}

/// Begin a turn. It ends with the event done, or with a fatal error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    /// Names the turn. Events may repeat it.
    #[serde(rename = "turnId")]
    pub turn_id: String,
    /// The session's working directory, absolute.
    pub cwd: String,
    /// The text of the prompt: its text blocks and the links and resources in it, joined.
    pub text: String,
    /// The prompt's content blocks as the editor sent them.
    pub prompt: Vec<ContentBlock>,
    /// The trace that the turn belongs to, as W3C's trace context has it. Only where the editor names one, or Turnwire sends traces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traceparent: Option<String>,
    /// What other tracing systems say of it, with traceparent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tracestate: Option<String>,
    /// What was said in the session before, oldest first. Only with the first prompt that a process gets of a session that goes on, and only for agents that have said history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<HistoryEntry>>,
}

/// Stop the turn, and end it with the event done whose stopReason is cancelled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CancelCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
}

/// The answer to tool_confirmation_request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolConfirmationResponseCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
    /// That of the request, where it had one.
    #[serde(rename = "confirmationId", default, skip_serializing_if = "Option::is_none")]
    pub confirmation_id: Option<String>,
    #[serde(rename = "toolCallId")]
    pub tool_call_id: String,
    /// Only allow_once and allow_always permit the call.
    pub decision: Decision,
    /// The chosen option, where the request had options of its own. The decision is the option's kind.
    #[serde(rename = "optionId", default, skip_serializing_if = "Option::is_none")]
    pub option_id: Option<String>,
    /// Why nobody was asked, where the request was refused without asking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The answer to question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionResponseCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
    #[serde(rename = "questionId")]
    pub question_id: String,
    /// The chosen option or the text. With several choices they are joined by a comma and a space.
    pub answer: String,
    /// The choices one by one where several were allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
    /// The values by the names of their fields, where the question had fields. Each is of its field's type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Map<String, Value>>,
    /// The user did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<bool>,
    /// The user did not want to answer, where that is known; cancelled is true then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<bool>,
    /// Why nobody was asked, where the question was refused without asking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The answer to editor_request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EditorResponseCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    #[serde(rename = "turnId")]
    pub turn_id: String,
    #[serde(rename = "requestId")]
    pub request_id: String,
    /// The editor has done it.
    pub ok: bool,
    /// Why it was not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The text that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The terminal that was created.
    #[serde(rename = "terminalId", default, skip_serializing_if = "Option::is_none")]
    pub terminal_id: Option<String>,
    /// The terminal's output so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The beginning of the output is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// The terminal's command has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exited: Option<bool>,
    #[serde(rename = "exitCode", default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// The signal that ended the command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
}

/// Set an option that was offered. Say what it is set to with mode_changed, model_changed or config_options, or refuse with option_refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetOptionCommand {
    #[serde(rename = "sessionId")]
    pub session_id: String,
    /// The id in config_options; mode and model for what mode_changed and model_changed have told.
    #[serde(rename = "optionId")]
    pub option_id: String,
    /// The id of a choice that was offered, or true or false.
    pub value: OptionValue,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Editor {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// It can read files, with unsaved changes.
    #[serde(rename = "readFile")]
    pub read_file: bool,
    /// It can write files.
    #[serde(rename = "writeFile")]
    pub write_file: bool,
    /// It can run commands in terminals of its own.
    pub terminal: bool,
    /// It can ask questions with several fields.
    pub forms: bool,
    /// It can send the user to a page.
    pub pages: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    pub role: Role,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SystemPrompt {
    /// Whether the agent adds the text to its own instructions or has it in their place.
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

/// One line that an agent prints on its standard output. Members that are not listed are kept, and an event of a type that is not listed is passed on as it came.
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

/// One line that an agent reads from its standard input. An agent should skip commands and members that it does not know. The end of its input means: stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[allow(clippy::large_enum_variant)]
pub enum AgentCommand {
    #[serde(rename = "session")]
    Session(SessionCommand),
    #[serde(rename = "prompt")]
    Prompt(PromptCommand),
    #[serde(rename = "cancel")]
    Cancel(CancelCommand),
    #[serde(rename = "tool_confirmation_response")]
    ToolConfirmationResponse(ToolConfirmationResponseCommand),
    #[serde(rename = "question_response")]
    QuestionResponse(QuestionResponseCommand),
    #[serde(rename = "editor_response")]
    EditorResponse(EditorResponseCommand),
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

impl From<SetOptionCommand> for AgentCommand {
    fn from(value: SetOptionCommand) -> Self {
        AgentCommand::SetOption(value)
    }
}
