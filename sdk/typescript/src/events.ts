// Generated from schema/agent-event.schema.json and schema/agent-command.schema.json. Do not edit.

export type Audience = "user" | "internal" | "dashboard";

export type CompactionStatus = "in_progress" | "completed" | "failed" | "cancelled";

export type ConfigOptionKind = "select" | "boolean";

export type ConfirmationOptionKind = "allow_once" | "allow_always" | "reject_once" | "reject_always";

export type ContentType = "text" | "image" | "audio" | "resource_link" | "resource";

export type Decision = "allow_once" | "allow_always" | "reject_once" | "reject_always" | "cancelled";

export type EditorAction = "read_file" | "write_file" | "create_terminal" | "terminal_output" | "wait_for_terminal" | "kill_terminal" | "release_terminal";

export type FieldFormat = "email" | "uri" | "date" | "date-time";

export type FieldType = "string" | "number" | "integer" | "boolean" | "choice" | "choices";

export type NoticeSeverity = "info" | "warning" | "error";

export type OutputStream = "stdout" | "stderr";

export type PlanEntryPriority = "high" | "medium" | "low";

export type PlanEntryStatus = "pending" | "in_progress" | "completed" | "cancelled";

export type StopReason = "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";

export type ToolKind = "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "switch_mode" | "other";

export type Role = "user" | "agent";

export type SystemPromptMode = "append" | "override";

/** The agent's name and capabilities. Print it as the first line. Turnwire replies with the session command. */
export interface AgentInfoEvent {
  type: "agent_info";
  /** The agent's display name. */
  name?: string;
  version?: string;
  /** The content that the agent accepts in prompts, besides text and links. Default: none. */
  prompt?: PromptTakes;
  /** Present if the agent uses the session's MCP servers. If absent, the user is told that the agent does not use them. */
  mcp?: MCPTakes;
  /** Present if the agent adds the editor's instructions to its own. The session command then contains them. */
  systemPrompt?: SystemPromptTakes;
  /** Present if the agent reads steer commands during a turn, with the content that it accepts in them, besides text and links. */
  steer?: PromptTakes;
  /** The current and available modes, as in mode_changed. */
  modes?: ModeState;
  /** The current and available models, as in model_changed. */
  models?: ModelState;
  /** The options, as in config_options. */
  options?: ConfigOption[];
  /** The slash commands, as in available_commands. */
  commands?: SlashCommand[];
  /** The agent stores its conversations. If the session command has resume, the agent continues the conversation of that sessionId. The command contains the value of the last state event. */
  resume?: boolean;
  /** The agent uses Turnwire's own tools to read, search, edit and run. The session command then lists them. */
  tools?: boolean;
  /** The agent stores no conversations. It reads the earlier messages from the prompt's history. */
  history?: boolean;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The turn starts, with this provider and model. */
export interface RunStartEvent {
  type: "run_start";
  provider?: string;
  model?: string;
  source?: string;
  traceId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** Additions to the prompt's context. */
export interface ContextMetaEvent {
  type: "context_meta";
  data?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A piece of the agent's answer. */
export interface TextDeltaEvent {
  type: "text_delta";
  text: string;
  /** The message's id, shared by all its pieces. Optional. */
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A piece of the agent's thoughts. */
export interface ThinkingDeltaEvent {
  type: "thinking_delta";
  thinking: string;
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** An image, audio, a link or an embedded resource in the answer. */
export interface ContentEvent {
  type: "content";
  content: ContentBlock;
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A source for the answer, shown as a link in it. */
export interface CitationEvent {
  type: "citation";
  /** The source's URI. Editors show http, https and file URIs as links. */
  uri: string;
  /** The link text. Default: the uri. */
  title?: string;
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A user message that did not come from a prompt, such as one typed in another program. */
export interface UserMessageEvent {
  type: "user_message";
  text?: string;
  /** Content after the text, or instead of it. */
  content?: ContentBlock[];
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The agent has read a steer command, or refuses it. */
export interface SteeredEvent {
  type: "steered";
  /** The id in the steer command. */
  steerId: string;
  /** Why the agent does not accept the message, which then becomes the next prompt. */
  refused?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A new message starts. */
export interface MessageStartEvent {
  type: "message_start";
  messageId?: string;
  role?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The message is complete. */
export interface MessageEndEvent {
  type: "message_end";
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The model started to write a tool call. */
export interface ToolPendingEvent {
  type: "tool_pending";
  toolCallId: string;
  toolName: string;
  /** The id of the parent tool call or sub-agent. */
  parentToolCallId?: string;
  /** A one-line title for the user, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The file changes of the call. */
  diffs?: FileDiff[];
  /** A terminal that the agent created with editor_request. The editor shows it in the tool call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A piece of the call's arguments, as JSON text. */
export interface ToolArgsDeltaEvent {
  type: "tool_args_delta";
  toolCallId: string;
  delta: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The call is complete, but not running yet. */
export interface ToolReadyEvent {
  type: "tool_ready";
  toolCallId: string;
  toolName: string;
  args?: unknown;
  parentToolCallId?: string;
  /** A one-line title for the user, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The file changes of the call. */
  diffs?: FileDiff[];
  /** A terminal that the agent created with editor_request. The editor shows it in the tool call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The tool starts to run. */
export interface ToolStartEvent {
  type: "tool_start";
  toolCallId: string;
  toolName: string;
  args?: unknown;
  audience?: Audience;
  parentToolCallId?: string;
  /** A one-line title for the user, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The file changes of the call. */
  diffs?: FileDiff[];
  /** A terminal that the agent created with editor_request. The editor shows it in the tool call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The tool's progress. */
export interface ToolProgressEvent {
  type: "tool_progress";
  /** Optional. Default: the only running call of this tool. */
  toolCallId?: string;
  toolName?: string;
  message: string;
  percent?: number;
  /** Default: internal, which is not shown. */
  audience?: Audience;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A piece of the tool's output. */
export interface ToolOutputEvent {
  type: "tool_output";
  toolCallId: string;
  text: string;
  stream?: OutputStream;
  /** The text replaces all earlier output. */
  replace?: boolean;
  /** A terminal that the agent created with editor_request. The editor shows it in the tool call, and the text may be empty. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The tool call ended, successfully or not. */
export interface ToolEndEvent {
  type: "tool_end";
  toolCallId: string;
  toolName?: string;
  ok: boolean;
  /** The call was cancelled or refused. In that case, ok is false. */
  cancelled?: boolean;
  durationMs?: number;
  audience?: Audience;
  result?: string;
  structured?: unknown;
  error?: string;
  content?: ContentBlock[];
  exitCode?: number;
  /** A one-line title for the user, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The file changes of the call. */
  diffs?: FileDiff[];
  /** A terminal that the agent created with editor_request. The editor shows it in the tool call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A request for permission to run a tool. The agent waits for tool_confirmation_response. */
export interface ToolConfirmationRequestEvent {
  type: "tool_confirmation_request";
  /** The request's id, which the answer repeats. Default: the tool call's id. */
  confirmationId?: string;
  toolCallId: string;
  toolName?: string;
  args?: unknown;
  /** Why the agent asks. */
  reason?: string;
  /** The choices for the user. Default: allow_once and reject_once. */
  decisions?: Decision[];
  /** Custom choices, shown in this order instead of decisions. Several may have the same kind. The answer contains the optionId of the chosen one. */
  options?: ConfirmationOption[];
  /** A one-line title for the user, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The file changes of the call. */
  diffs?: FileDiff[];
  /** A terminal that the agent created with editor_request. The editor shows it in the tool call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The permission request was answered elsewhere. */
export interface ToolConfirmationResolvedEvent {
  type: "tool_confirmation_resolved";
  confirmationId?: string;
  toolCallId: string;
  decision: Decision;
  reason?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A question for the user. The agent waits for question_response. */
export interface QuestionEvent {
  type: "question";
  questionId: string;
  question: string;
  header?: string;
  /** The choices. Default: free text. */
  options?: string[];
  /** The user can select several options. */
  multiple?: boolean;
  /** The user can also enter a custom answer. */
  allowCustom?: boolean;
  /** The fields of a form, instead of options. The answer contains their values. */
  fields?: FormField[];
  /** A web page (http or https) to send the user to, instead of options and fields. */
  url?: string;
  toolCallId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The question was answered elsewhere. */
export interface QuestionAnsweredEvent {
  type: "question_answered";
  questionId: string;
  answer?: string;
  cancelled?: boolean;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A request to the editor to read or write a file, or to run a command in a terminal. The agent waits for editor_response. */
export interface EditorRequestEvent {
  type: "editor_request";
  /** The request's id, which the answer repeats. */
  requestId: string;
  /** The action. The session command lists the editor's capabilities. */
  action: EditorAction;
  /** The file to read or write. Absolute, or relative to the session's working directory. */
  path?: string;
  /** The complete new text of the file to write. */
  text?: string;
  /** The first line to read, starting at 1. */
  line?: number;
  /** The number of lines to read. */
  limit?: number;
  /** The program to run in the new terminal. */
  command?: string;
  args?: string[];
  env?: EnvironmentVariable[];
  /** The new terminal's working directory. Absolute, or relative to the session's working directory, which is the default. */
  cwd?: string;
  /** The number of output bytes that the editor keeps. The oldest output is dropped first. */
  outputLimit?: number;
  /** The terminal's id, for all actions on an existing terminal. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A request to run one of Turnwire's own tools. The agent waits for tool_response. */
export interface ToolRequestEvent {
  type: "tool_request";
  /** The call's id, which the answer repeats. Unique in the session. */
  toolCallId: string;
  /** The name of a tool that the session command lists. */
  toolName: string;
  /** The call's arguments, as the tool's parameters describe them. A mistake in them is a failed call. */
  args?: Record<string, unknown>;
  /** The maximal length of the result in characters. Default: 50000. */
  limit?: number;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A tool call needs approval. This only announces it; the agent does not wait. */
export interface ToolApprovalRequiredEvent {
  type: "tool_approval_required";
  toolCallId: string;
  toolName?: string;
  args?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The result of an approval. */
export interface ToolApprovalResponseEvent {
  type: "tool_approval_response";
  toolCallId: string;
  approved: boolean;
  reason?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A plug-in needs a credential. */
export interface CredentialRequiredEvent {
  type: "credential_required";
  pluginId: string;
  credentialKey?: string;
  kind?: string;
  label?: string;
  description?: string;
  authUrl?: string;
  sessionKey?: string;
  pendingUserMessage?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The complete plan, or one of several plans. */
export interface PlanEvent {
  type: "plan";
  /** The plan's id, if there are several. Editors that support only one plan show the entries of all. */
  planId?: string;
  entries?: PlanEntry[];
  /** The plan as text, instead of entries. Editors that only support entries show it as a message. */
  markdown?: string;
  /** A file with the plan, instead of entries. Editors that only support entries show it as a link. */
  uri?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A plan was removed. */
export interface PlanRemovedEvent {
  type: "plan_removed";
  /** The plan's id. Default: the plan without an id. */
  planId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** Information for the user. */
export interface NoticeEvent {
  type: "notice";
  severity?: NoticeSeverity;
  message: string;
  description?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The agent stopped itself, because of a budget or a watcher. */
export interface HaltEvent {
  type: "halt";
  kind?: string;
  rule?: string;
  toolName?: string;
  count?: number;
  message: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A sub-agent starts a task. */
export interface SubagentStartEvent {
  type: "subagent_start";
  id: string;
  name?: string;
  task?: string;
  runId?: string;
  parentRunId?: string;
  parentToolCallId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The sub-agent finished its task. */
export interface SubagentEndEvent {
  type: "subagent_end";
  id: string;
  name?: string;
  ok: boolean;
  result?: string;
  error?: string;
  durationMs?: number;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A round with the model starts. */
export interface StepStartEvent {
  type: "step_start";
  stepId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The round with the model ended. */
export interface StepEndEvent {
  type: "step_end";
  stepId?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The tokens and cost of one request to the model. */
export interface UsageEvent {
  type: "usage";
  /** Input tokens, except those read from a cache. */
  inputTokens: number;
  outputTokens: number;
  /** The cost of this request in US dollars. */
  estimatedCostUsd: number;
  cacheReadTokens?: number;
  cacheCreationTokens?: number;
  /** The model's context size in tokens. Editors show usage only if it is known. */
  contextWindow?: number;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The agent shortened its context. */
export interface ContextCompactedEvent {
  type: "context_compacted";
  compactionId?: string;
  status?: CompactionStatus;
  summary?: string;
  error?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The output of the current step is withdrawn. */
export interface StreamResetEvent {
  type: "stream_reset";
  reason?: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A value that Turnwire saves and returns to the agent when the session continues in a new process. Only the last one is kept. */
export interface StateEvent {
  type: "state";
  /** Any value, up to 1 MB of JSON. The session command returns it to an agent that declared resume. */
  state: unknown;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The agent's complete shared state. */
export interface StateSnapshotEvent {
  type: "state_snapshot";
  snapshot?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A change to the shared state. */
export interface StateDeltaEvent {
  type: "state_delta";
  delta?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The complete state of an activity. */
export interface ActivitySnapshotEvent {
  type: "activity_snapshot";
  messageId?: string;
  activityType?: string;
  content?: unknown;
  replace?: boolean;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A change to an activity. */
export interface ActivityDeltaEvent {
  type: "activity_delta";
  messageId?: string;
  activityType?: string;
  patch?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The session's title. */
export interface SessionTitleEvent {
  type: "session_title";
  title: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The agent's slash commands. */
export interface AvailableCommandsEvent {
  type: "available_commands";
  commands: SlashCommand[];
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The agent's current mode. */
export interface ModeChangedEvent {
  type: "mode_changed";
  modeId: string;
  /** The modes that set_option accepts. Default: the last list. */
  available?: Choice[];
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The agent's current model. */
export interface ModelChangedEvent {
  type: "model_changed";
  modelId: string;
  /** The models that set_option accepts. Default: the last list. */
  available?: Choice[];
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** All options with their current values. */
export interface ConfigOptionsEvent {
  type: "config_options";
  options: ConfigOption[];
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The agent did not apply a set_option. */
export interface OptionRefusedEvent {
  type: "option_refused";
  optionId: string;
  /** The reason, for the user. */
  error: string;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The tool calls that a dry run would have made. */
export interface DryRunSummaryEvent {
  type: "dry_run_summary";
  plan: PlannedCall[];
  capped?: number;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The evaluators' verdicts on the turn. */
export interface EvaluatorsCompleteEvent {
  type: "evaluators_complete";
  results: EvaluatorResult[];
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A message from a plug-in. */
export interface NotificationReceivedEvent {
  type: "notification_received";
  pluginId?: string;
  sessionKey?: string;
  message: string;
  startTurn?: boolean;
  payload?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A named value for tools that observe the agent. */
export interface TelemetryEvent {
  type: "telemetry";
  name: string;
  data?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** A failure. It ends the turn unless fatal is false. */
export interface ErrorEvent {
  type: "error";
  error: string;
  /** An error code for programs. Codes such as unauthorized make the editor offer a login. */
  code?: string;
  /** If false, the turn continues. Default: true. */
  fatal?: boolean;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

/** The turn ended. */
export interface DoneEvent {
  type: "done";
  text: string;
  turnCount?: number;
  traceId?: string;
  /** Default: end_turn. */
  stopReason?: StopReason;
  /** The turnId of the prompt that this event belongs to. Optional. An event with another turn's id is dropped. */
  turnId?: string;
}

export interface Choice {
  id: string;
  name: string;
  description?: string;
}

export interface ChoiceGroup {
  id: string;
  name: string;
  choices: Choice[];
}

export interface ConfigOption {
  /** The option's id in set_option. */
  id: string;
  name: string;
  description?: string;
  /** The category: mode, model, model_config or thought_level. Custom categories begin with _. */
  category?: string;
  kind: ConfigOptionKind;
  /** The current value: the id of a choice, or true or false. */
  value: string | boolean;
  /** The choices of a select. */
  choices?: Choice[];
  /** The choices of a select, in groups. */
  groups?: ChoiceGroup[];
}

export interface ConfirmationOption {
  /** The option's id in the answer. It is unique within the request. */
  id: string;
  /** The label. Default: the usual label for the kind. */
  name?: string;
  /** The decision that this option stands for. The answer contains it. */
  kind: ConfirmationOptionKind;
}

export interface ContentBlock {
  type: ContentType;
  text?: string;
  /** Base64. */
  data?: string;
  mimeType?: string;
  uri?: string;
  name?: string;
  title?: string;
  size?: number;
  resource?: EmbeddedResource;
}

export interface EmbeddedResource {
  uri: string;
  mimeType?: string;
  text?: string;
  /** Base64. */
  blob?: string;
}

export interface EnvironmentVariable {
  name: string;
  value: string;
}

export interface EvaluatorResult {
  name: string;
  pass: boolean;
  reason?: string;
  score?: number;
}

export interface FieldOption {
  /** The value in the answer. */
  value: string;
  /** The label. Default: the value. */
  title?: string;
  description?: string;
}

export interface FileDiff {
  path: string;
  /** The text before the change. Absent for a new file. */
  oldText?: string;
  newText: string;
  /** The line at which newText begins in the new file. Only if the texts are a part of it. */
  line?: number;
}

export interface FileLocation {
  /** Absolute, or relative to the session's working directory. */
  path: string;
  /** The line number, starting at 1. */
  line?: number;
}

export interface FormField {
  /** The name of the value in the answer. It is unique within the question. */
  name: string;
  /** Default: choice if there are options, otherwise string. choices allows any number of options. */
  type?: FieldType;
  /** The label. Default: the name. */
  title?: string;
  description?: string;
  /** The question can't be answered without this value. */
  required?: boolean;
  /** A string that the editor hides during input, such as a password. It is only requested from editors with forms. */
  secret?: boolean;
  /** The initial value, of the field's type. The user must still submit it. */
  default?: unknown;
  /** The options to choose from. */
  options?: FieldOption[];
  /** The format of a string. */
  format?: FieldFormat;
  /** A regular expression for a string. Editors check it, Turnwire doesn't. */
  pattern?: string;
  /** The minimum length of a string, in characters. */
  minLength?: number;
  maxLength?: number;
  /** The minimum of a number. */
  minimum?: number;
  maximum?: number;
  /** The minimum number of selected options. */
  minItems?: number;
  maxItems?: number;
}

export interface MCPTakes {
  http?: boolean;
  sse?: boolean;
}

export interface ModeState {
  modeId: string;
  available?: Choice[];
}

export interface ModelState {
  modelId: string;
  available?: Choice[];
}

export interface PlanEntry {
  content: string;
  status?: PlanEntryStatus;
  priority?: PlanEntryPriority;
}

export interface PlannedCall {
  toolCallId?: string;
  toolName: string;
  args?: unknown;
}

export interface PromptTakes {
  image?: boolean;
  audio?: boolean;
}

export interface SlashCommand {
  /** The name without the slash. */
  name: string;
  description: string;
  /** A hint for the command's arguments. */
  hint?: string;
}

export interface SystemPromptTakes {
  /** The editor's instructions can replace the agent's own. */
  replace?: boolean;
}

/** Describes the session. Sent once, and only if the agent printed agent_info. */
export interface SessionCommand {
  type: "session";
  sessionId: string;
  /** The session's working directory, absolute. */
  cwd: string;
  /** Additional directories of the session, absolute. */
  roots: string[];
  /** The MCP servers to use, as the editor sent them: name, command, args and env, or name, type (http or sse), url and headers. */
  mcpServers: unknown[];
  /** The editor's name and capabilities. */
  editor: Editor;
  /** The editor's instructions. Present only if agent_info has systemPrompt. */
  systemPrompt?: SystemPrompt;
  /** The tools that the agent can call with tool_request. Present only if agent_info has tools. */
  tools?: OfferedTool[];
  /** The session is an earlier one with the same sessionId. Present only if agent_info has resume. */
  resume?: boolean;
  /** The id of the session that this one is a copy of. The original continues, and the copy has a new sessionId. Present only with resume. */
  forkOf?: string;
  /** The value of the session's last state event. Present only with resume. */
  state?: unknown;
}

/** Starts a turn. The agent ends it with the event done or a fatal error. */
export interface PromptCommand {
  type: "prompt";
  sessionId: string;
  /** The turn's id. Events may repeat it. */
  turnId: string;
  /** The session's working directory, absolute. */
  cwd: string;
  /** The prompt as text: its text blocks, links and resources, joined. */
  text: string;
  /** The prompt's content blocks, as the editor sent them. */
  prompt: ContentBlock[];
  /** The turn's W3C trace context. Present only if the editor sends one or Turnwire exports traces. */
  traceparent?: string;
  /** Vendor-specific trace data that belongs to traceparent. */
  tracestate?: string;
  /** The session's earlier messages, oldest first. Present only in the first prompt after a process starts in an existing session, and only if agent_info has history. */
  history?: HistoryEntry[];
}

/** A message from the user for the running turn. Sent only if agent_info has steer. The agent prints steered once it has read it. */
export interface SteerCommand {
  type: "steer";
  sessionId: string;
  /** The running turn. */
  turnId: string;
  /** The message's id. The agent copies it to steered. */
  steerId: string;
  /** The message as text: its text blocks, links and resources, joined. */
  text: string;
  /** The message's content blocks, as the editor sent them. */
  prompt: ContentBlock[];
}

/** Cancels the turn. The agent ends it with the event done and the stopReason cancelled. */
export interface CancelCommand {
  type: "cancel";
  sessionId: string;
  turnId: string;
}

/** Answers tool_confirmation_request. */
export interface ToolConfirmationResponseCommand {
  type: "tool_confirmation_response";
  sessionId: string;
  turnId: string;
  /** The request's confirmationId, if it had one. */
  confirmationId?: string;
  toolCallId: string;
  /** Only allow_once and allow_always permit the call. */
  decision: Decision;
  /** The chosen option, if the request had options. The decision is the option's kind. */
  optionId?: string;
  /** Why the request was refused without asking the user. */
  reason?: string;
}

/** Answers question. */
export interface QuestionResponseCommand {
  type: "question_response";
  sessionId: string;
  turnId: string;
  questionId: string;
  /** The selected option or the text. Several options are joined with a comma and a space. */
  answer: string;
  /** The selected options as a list, if several were allowed. */
  answers?: string[];
  /** The values by field name, if the question had fields. Each has its field's type. */
  values?: Record<string, unknown>;
  /** The user did not answer. */
  cancelled?: boolean;
  /** The user declined to answer, if the editor reports that. In that case, cancelled is true too. */
  declined?: boolean;
  /** Why the question was refused without asking the user. */
  reason?: string;
}

/** Answers editor_request. */
export interface EditorResponseCommand {
  type: "editor_response";
  sessionId: string;
  turnId: string;
  requestId: string;
  /** The request succeeded. */
  ok: boolean;
  /** Why the request failed. */
  error?: string;
  /** The text read from the file. */
  text?: string;
  /** The id of the new terminal. */
  terminalId?: string;
  /** The terminal's output so far. */
  output?: string;
  /** The beginning of the output was dropped. */
  truncated?: boolean;
  /** The terminal's command has exited. */
  exited?: boolean;
  exitCode?: number;
  /** The signal that terminated the command. */
  signal?: string;
}

/** Answers tool_request. */
export interface ToolResponseCommand {
  type: "tool_response";
  sessionId: string;
  turnId: string;
  toolCallId: string;
  /** The call succeeded. */
  ok: boolean;
  /** The result, or what went wrong, for the model. */
  text: string;
  /** The user did not allow the call, or did not answer. */
  refused?: boolean;
  /** The turn was cancelled. */
  cancelled?: boolean;
  /** A part of the result is left out, as the text says. */
  truncated?: boolean;
}

/** Sets an offered option. The agent reports the new value with mode_changed, model_changed or config_options, or refuses with option_refused. */
export interface SetOptionCommand {
  type: "set_option";
  sessionId: string;
  /** The id in config_options, or mode or model for the values of mode_changed and model_changed. */
  optionId: string;
  /** The id of an offered choice, or true or false. */
  value: string | boolean;
}

export interface Editor {
  name?: string;
  version?: string;
  /** The editor can read files, including unsaved changes. */
  readFile: boolean;
  /** The editor can write files. */
  writeFile: boolean;
  /** The editor can run commands in its own terminals. */
  terminal: boolean;
  /** The editor can show forms with several fields. */
  forms: boolean;
  /** The editor can send the user to a web page. */
  pages: boolean;
}

export interface HistoryEntry {
  role: Role;
  text: string;
}

export interface OfferedTool {
  name: string;
  /** What the tool does, for a model. */
  description: string;
  /** The JSON Schema of the tool's arguments. */
  parameters: Record<string, unknown>;
}

export interface SystemPrompt {
  /** Whether the text is added to the agent's own instructions or replaces them. */
  mode: SystemPromptMode;
  text: string;
}

/** One line that an agent prints to stdout. Unlisted members are kept, and events of unlisted types are passed on unchanged. */
export type AgentEvent =
  | AgentInfoEvent
  | RunStartEvent
  | ContextMetaEvent
  | TextDeltaEvent
  | ThinkingDeltaEvent
  | ContentEvent
  | CitationEvent
  | UserMessageEvent
  | SteeredEvent
  | MessageStartEvent
  | MessageEndEvent
  | ToolPendingEvent
  | ToolArgsDeltaEvent
  | ToolReadyEvent
  | ToolStartEvent
  | ToolProgressEvent
  | ToolOutputEvent
  | ToolEndEvent
  | ToolConfirmationRequestEvent
  | ToolConfirmationResolvedEvent
  | QuestionEvent
  | QuestionAnsweredEvent
  | EditorRequestEvent
  | ToolRequestEvent
  | ToolApprovalRequiredEvent
  | ToolApprovalResponseEvent
  | CredentialRequiredEvent
  | PlanEvent
  | PlanRemovedEvent
  | NoticeEvent
  | HaltEvent
  | SubagentStartEvent
  | SubagentEndEvent
  | StepStartEvent
  | StepEndEvent
  | UsageEvent
  | ContextCompactedEvent
  | StreamResetEvent
  | StateEvent
  | StateSnapshotEvent
  | StateDeltaEvent
  | ActivitySnapshotEvent
  | ActivityDeltaEvent
  | SessionTitleEvent
  | AvailableCommandsEvent
  | ModeChangedEvent
  | ModelChangedEvent
  | ConfigOptionsEvent
  | OptionRefusedEvent
  | DryRunSummaryEvent
  | EvaluatorsCompleteEvent
  | NotificationReceivedEvent
  | TelemetryEvent
  | ErrorEvent
  | DoneEvent;

/** One line that an agent reads from stdin. An agent should ignore unknown commands and members. It should exit when stdin ends. */
export type AgentCommand =
  | SessionCommand
  | PromptCommand
  | SteerCommand
  | CancelCommand
  | ToolConfirmationResponseCommand
  | QuestionResponseCommand
  | EditorResponseCommand
  | ToolResponseCommand
  | SetOptionCommand;
