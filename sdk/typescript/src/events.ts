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

/** What the agent is and can do; best as the first line that it prints. The agent is told of its session then, with the command session. */
export interface AgentInfoEvent {
  type: "agent_info";
  /** The agent's name for users. */
  name?: string;
  version?: string;
  /** What prompts may hold beside text and links. Absent: nothing. */
  prompt?: PromptTakes;
  /** Present if the agent uses the MCP servers that it is told of. Absent: the user is told that nothing uses them. */
  mcp?: MCPTakes;
  /** Present if the agent adds instructions of the editor to its own: session has them then. */
  systemPrompt?: SystemPromptTakes;
  /** The same as mode_changed says. */
  modes?: ModeState;
  /** The same as model_changed says. */
  models?: ModelState;
  /** The same as config_options says. */
  options?: ConfigOption[];
  /** The same as available_commands says. */
  commands?: SlashCommand[];
  /** The agent keeps its conversations, and goes on with the one of a sessionId where session says resume. It is given the state of its last state event. */
  resume?: boolean;
  /** The agent keeps nothing, and reads in a prompt's history what was said before. */
  history?: boolean;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The turn begins, with this provider and model. */
export interface RunStartEvent {
  type: "run_start";
  provider?: string;
  model?: string;
  source?: string;
  traceId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** What was put into the prompt's context. */
export interface ContextMetaEvent {
  type: "context_meta";
  data?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A piece of the answer. */
export interface TextDeltaEvent {
  type: "text_delta";
  text: string;
  /** Pieces of one message share it. Optional. */
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A piece of the agent's thoughts. */
export interface ThinkingDeltaEvent {
  type: "thinking_delta";
  thinking: string;
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** An image, audio, a link or an embedded resource as a part of the answer. */
export interface ContentEvent {
  type: "content";
  content: ContentBlock;
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A source of what the answer says, shown as a link in it. */
export interface CitationEvent {
  type: "citation";
  /** Where the source is. Editors show http and https and file as links. */
  uri: string;
  /** What the link says. Absent: the uri. */
  title?: string;
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A message of the user that no prompt has had, such as one that was typed elsewhere. */
export interface UserMessageEvent {
  type: "user_message";
  text?: string;
  /** What follows the text, or takes its place. */
  content?: ContentBlock[];
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A new message begins. */
export interface MessageStartEvent {
  type: "message_start";
  messageId?: string;
  role?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The message is complete. */
export interface MessageEndEvent {
  type: "message_end";
  messageId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The model has begun to write a tool call. */
export interface ToolPendingEvent {
  type: "tool_pending";
  toolCallId: string;
  toolName: string;
  /** The call (of a sub-agent) that this one belongs to. */
  parentToolCallId?: string;
  /** One line for people, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The changes that the call makes or has made. */
  diffs?: FileDiff[];
  /** A terminal that the agent has created with editor_request: the editor shows it in the call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A piece of the call's arguments as JSON text. */
export interface ToolArgsDeltaEvent {
  type: "tool_args_delta";
  toolCallId: string;
  delta: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The call is complete and waits to run. */
export interface ToolReadyEvent {
  type: "tool_ready";
  toolCallId: string;
  toolName: string;
  args?: unknown;
  parentToolCallId?: string;
  /** One line for people, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The changes that the call makes or has made. */
  diffs?: FileDiff[];
  /** A terminal that the agent has created with editor_request: the editor shows it in the call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The tool runs. */
export interface ToolStartEvent {
  type: "tool_start";
  toolCallId: string;
  toolName: string;
  args?: unknown;
  audience?: Audience;
  parentToolCallId?: string;
  /** One line for people, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The changes that the call makes or has made. */
  diffs?: FileDiff[];
  /** A terminal that the agent has created with editor_request: the editor shows it in the call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The progress of the tool. */
export interface ToolProgressEvent {
  type: "tool_progress";
  /** Optional: without it the progress belongs to the only running call of that name. */
  toolCallId?: string;
  toolName?: string;
  message: string;
  percent?: number;
  /** Absent means internal: not shown. */
  audience?: Audience;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A piece of the tool's output. */
export interface ToolOutputEvent {
  type: "tool_output";
  toolCallId: string;
  text: string;
  stream?: OutputStream;
  /** The text replaces the output so far. */
  replace?: boolean;
  /** A terminal that the agent has created with editor_request: the editor shows it in the call. The text may be empty then. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The tool call has ended, successfully or not. */
export interface ToolEndEvent {
  type: "tool_end";
  toolCallId: string;
  toolName?: string;
  ok: boolean;
  /** The call was cancelled or refused; ok is false then. */
  cancelled?: boolean;
  durationMs?: number;
  audience?: Audience;
  result?: string;
  structured?: unknown;
  error?: string;
  content?: ContentBlock[];
  exitCode?: number;
  /** One line for people, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The changes that the call makes or has made. */
  diffs?: FileDiff[];
  /** A terminal that the agent has created with editor_request: the editor shows it in the call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** May this tool run? The agent waits for tool_confirmation_response. */
export interface ToolConfirmationRequestEvent {
  type: "tool_confirmation_request";
  /** Names this request; the answer repeats it. Absent: the call's id names it. */
  confirmationId?: string;
  toolCallId: string;
  toolName?: string;
  args?: unknown;
  /** Why the agent asks. */
  reason?: string;
  /** What the user can choose. Absent: allow_once and reject_once. */
  decisions?: Decision[];
  /** Choices of the agent's own, in their order and in place of decisions. Several may be of one kind. The answer has the optionId of the chosen one. */
  options?: ConfirmationOption[];
  /** One line for people, such as Read main.go. */
  title?: string;
  /** The icon to show. */
  kind?: ToolKind;
  locations?: FileLocation[];
  /** The changes that the call makes or has made. */
  diffs?: FileDiff[];
  /** A terminal that the agent has created with editor_request: the editor shows it in the call. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The confirmation was decided elsewhere. */
export interface ToolConfirmationResolvedEvent {
  type: "tool_confirmation_resolved";
  confirmationId?: string;
  toolCallId: string;
  decision: Decision;
  reason?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A question to the user. The agent waits for question_response. */
export interface QuestionEvent {
  type: "question";
  questionId: string;
  question: string;
  header?: string;
  /** Choices. Absent: any text. */
  options?: string[];
  /** More than one choice may be taken. */
  multiple?: boolean;
  /** An answer beside the choices is welcome. */
  allowCustom?: boolean;
  /** Several values to ask for, in place of options. The answer has them in values. */
  fields?: FormField[];
  /** A page (http or https) to send the user to, in place of options and fields. */
  url?: string;
  toolCallId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The question was answered elsewhere. */
export interface QuestionAnsweredEvent {
  type: "question_answered";
  questionId: string;
  answer?: string;
  cancelled?: boolean;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** Have the editor read or write a file, or run a command in a terminal. The agent waits for editor_response. */
export interface EditorRequestEvent {
  type: "editor_request";
  /** Names this request; the answer repeats it. */
  requestId: string;
  /** What to do. The command session says what the editor can do. */
  action: EditorAction;
  /** The file to read or write; absolute or relative to the session's working directory. */
  path?: string;
  /** The whole new text of a file that is written. */
  text?: string;
  /** The first line to read, from 1. */
  line?: number;
  /** How many lines to read. */
  limit?: number;
  /** The program that a new terminal runs. */
  command?: string;
  args?: string[];
  env?: EnvironmentVariable[];
  /** Where a new terminal runs; absolute or relative to the session's working directory. Absent: there. */
  cwd?: string;
  /** How many bytes of a terminal's output the editor keeps: the last ones. */
  outputLimit?: number;
  /** The terminal that was created; for all other actions on it. */
  terminalId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A call needs approval. This is only an announcement; the agent does not wait. */
export interface ToolApprovalRequiredEvent {
  type: "tool_approval_required";
  toolCallId: string;
  toolName?: string;
  args?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** Whether that approval was given. */
export interface ToolApprovalResponseEvent {
  type: "tool_approval_response";
  toolCallId: string;
  approved: boolean;
  reason?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
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
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The whole current plan, or one of several. */
export interface PlanEvent {
  type: "plan";
  /** Names the plan where there are several. Editors that know one plan are shown the entries of all. */
  planId?: string;
  entries?: PlanEntry[];
  /** The plan as text, in place of entries. Editors that know plans of entries alone show it as a message. */
  markdown?: string;
  /** A file that holds the plan, in place of entries. Editors that know plans of entries alone show it as a link. */
  uri?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** There is no such plan any more. */
export interface PlanRemovedEvent {
  type: "plan_removed";
  /** That of the plan. Absent: the plan without an id. */
  planId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** Something that the user should know. */
export interface NoticeEvent {
  type: "notice";
  severity?: NoticeSeverity;
  message: string;
  description?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The agent stopped itself: a budget or a watcher. */
export interface HaltEvent {
  type: "halt";
  kind?: string;
  rule?: string;
  toolName?: string;
  count?: number;
  message: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A sub-agent begins a task. */
export interface SubagentStartEvent {
  type: "subagent_start";
  id: string;
  name?: string;
  task?: string;
  runId?: string;
  parentRunId?: string;
  parentToolCallId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The sub-agent is done. */
export interface SubagentEndEvent {
  type: "subagent_end";
  id: string;
  name?: string;
  ok: boolean;
  result?: string;
  error?: string;
  durationMs?: number;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A round with the model begins. */
export interface StepStartEvent {
  type: "step_start";
  stepId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The round is over. */
export interface StepEndEvent {
  type: "step_end";
  stepId?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** Tokens and cost of one request to the model. */
export interface UsageEvent {
  type: "usage";
  /** Tokens that were not read from a cache. */
  inputTokens: number;
  outputTokens: number;
  /** Cost of this request alone in US dollars. */
  estimatedCostUsd: number;
  cacheReadTokens?: number;
  cacheCreationTokens?: number;
  /** The largest number of tokens that the model can have in its context. Editors show usage only when it is known. */
  contextWindow?: number;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The agent shortened its context. */
export interface ContextCompactedEvent {
  type: "context_compacted";
  compactionId?: string;
  status?: CompactionStatus;
  summary?: string;
  error?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The output of the current step is void. */
export interface StreamResetEvent {
  type: "stream_reset";
  reason?: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** What to give the agent when the session goes on in another process. The last one counts. */
export interface StateEvent {
  type: "state";
  /** Any value, at most 1 MB of JSON. The command session returns it to an agent that has said resume. */
  state: unknown;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The agent's whole shared state. */
export interface StateSnapshotEvent {
  type: "state_snapshot";
  snapshot?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A change of the shared state. */
export interface StateDeltaEvent {
  type: "state_delta";
  delta?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The whole state of an activity. */
export interface ActivitySnapshotEvent {
  type: "activity_snapshot";
  messageId?: string;
  activityType?: string;
  content?: unknown;
  replace?: boolean;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A change of an activity. */
export interface ActivityDeltaEvent {
  type: "activity_delta";
  messageId?: string;
  activityType?: string;
  patch?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The session's title. */
export interface SessionTitleEvent {
  type: "session_title";
  title: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The agent's slash commands. */
export interface AvailableCommandsEvent {
  type: "available_commands";
  commands: SlashCommand[];
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The agent's mode. */
export interface ModeChangedEvent {
  type: "mode_changed";
  modeId: string;
  /** The modes that can be chosen with set_option. Absent: the modes that were listed last. */
  available?: Choice[];
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The agent's model. */
export interface ModelChangedEvent {
  type: "model_changed";
  modelId: string;
  /** The models that can be chosen with set_option. Absent: the models that were listed last. */
  available?: Choice[];
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** All options with their current values. */
export interface ConfigOptionsEvent {
  type: "config_options";
  options: ConfigOption[];
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The agent did not apply a set_option. */
export interface OptionRefusedEvent {
  type: "option_refused";
  optionId: string;
  /** Why; for the user. */
  error: string;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** What a dry run would have done. */
export interface DryRunSummaryEvent {
  type: "dry_run_summary";
  plan: PlannedCall[];
  capped?: number;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** Verdicts of evaluators on the turn. */
export interface EvaluatorsCompleteEvent {
  type: "evaluators_complete";
  results: EvaluatorResult[];
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
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
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A named value for tools that observe the agent. */
export interface TelemetryEvent {
  type: "telemetry";
  name: string;
  data?: unknown;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** A failure; ends the turn unless fatal is false. */
export interface ErrorEvent {
  type: "error";
  error: string;
  /** Opaque, for programs. unauthorized and the like make the editor offer a login. */
  code?: string;
  /** false: the turn goes on. Absent means true. */
  fatal?: boolean;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
  turnId?: string;
}

/** The turn is over. */
export interface DoneEvent {
  type: "done";
  text: string;
  turnCount?: number;
  traceId?: string;
  /** Absent means end_turn. */
  stopReason?: StopReason;
  /** The turnId of the prompt that this event belongs to. Optional: an event that names another turn than the running one is dropped. */
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
  /** Names the option in set_option. */
  id: string;
  name: string;
  description?: string;
  /** What it is about: mode, model, model_config or thought_level; names of your own begin with _. */
  category?: string;
  kind: ConfigOptionKind;
  /** What is set: the id of a choice, or true or false. */
  value: string | boolean;
  /** What can be chosen, for a select. */
  choices?: Choice[];
  /** The same in groups. */
  groups?: ChoiceGroup[];
}

export interface ConfirmationOption {
  /** Names the option in the answer. No other option of the request has it. */
  id: string;
  /** What the user reads. Absent: the usual words for the kind. */
  name?: string;
  /** What choosing it means. It is the decision of the answer. */
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
  /** What the answer holds. */
  value: string;
  /** What the user reads. Absent: the value. */
  title?: string;
  description?: string;
}

export interface FileDiff {
  path: string;
  /** The text before the change. Absent for a new file. */
  oldText?: string;
  newText: string;
}

export interface FileLocation {
  /** Absolute or relative to the session's working directory. */
  path: string;
  /** 1-based line number. */
  line?: number;
}

export interface FormField {
  /** Names the value in the answer. No other field of the question has it. */
  name: string;
  /** Absent: choice where there are options and string otherwise. choices means any number of the options. */
  type?: FieldType;
  /** What the user reads. Absent: the name. */
  title?: string;
  description?: string;
  /** The question cannot be answered without this value. */
  required?: boolean;
  /** A string that nobody should read along. Editors without forms are not asked for it. */
  secret?: boolean;
  /** What the field holds at first; of the field's type. It is no answer by itself. */
  default?: unknown;
  /** What can be chosen. */
  options?: FieldOption[];
  /** What a string looks like. */
  format?: FieldFormat;
  /** A regular expression for a string. Editors check it; Turnwire does not. */
  pattern?: string;
  /** Characters in a string. */
  minLength?: number;
  maxLength?: number;
  /** The smallest number. */
  minimum?: number;
  maximum?: number;
  /** How many options must be chosen. */
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
  /** Without the slash. */
  name: string;
  description: string;
  /** What to type after the name. */
  hint?: string;
}

export interface SystemPromptTakes {
  /** They can take the place of its own. */
  replace?: boolean;
}

/** What the session is. Only an agent that has printed agent_info gets it, once. */
export interface SessionCommand {
  type: "session";
  sessionId: string;
  /** The session's working directory, absolute. */
  cwd: string;
  /** Further directories of the session, absolute. */
  roots: string[];
  /** The MCP servers to use, as the editor gave them: name and command and args and env, or type (http or sse) and url and headers. */
  mcpServers: unknown[];
  /** What the editor is and can do. */
  editor: Editor;
  /** Instructions of the editor. Only for agents that have said systemPrompt. */
  systemPrompt?: SystemPrompt;
  /** The session goes on that had this sessionId before. Only for agents that have said resume. */
  resume?: boolean;
  /** The session began as a copy of that one, which goes on too; sessionId is new then. Only with resume. */
  forkOf?: string;
  /** What the last state event of the session had. Only with resume. */
  state?: unknown;
}

/** Begin a turn. It ends with the event done, or with a fatal error. */
export interface PromptCommand {
  type: "prompt";
  sessionId: string;
  /** Names the turn. Events may repeat it. */
  turnId: string;
  /** The session's working directory, absolute. */
  cwd: string;
  /** The text of the prompt: its text blocks and the links and resources in it, joined. */
  text: string;
  /** The prompt's content blocks as the editor sent them. */
  prompt: ContentBlock[];
  /** The trace that the turn belongs to, as W3C's trace context has it. Only where the editor names one, or Turnwire sends traces. */
  traceparent?: string;
  /** What other tracing systems say of it, with traceparent. */
  tracestate?: string;
  /** What was said in the session before, oldest first. Only with the first prompt that a process gets of a session that goes on, and only for agents that have said history. */
  history?: HistoryEntry[];
}

/** Stop the turn, and end it with the event done whose stopReason is cancelled. */
export interface CancelCommand {
  type: "cancel";
  sessionId: string;
  turnId: string;
}

/** The answer to tool_confirmation_request. */
export interface ToolConfirmationResponseCommand {
  type: "tool_confirmation_response";
  sessionId: string;
  turnId: string;
  /** That of the request, where it had one. */
  confirmationId?: string;
  toolCallId: string;
  /** Only allow_once and allow_always permit the call. */
  decision: Decision;
  /** The chosen option, where the request had options of its own. The decision is the option's kind. */
  optionId?: string;
  /** Why nobody was asked, where the request was refused without asking. */
  reason?: string;
}

/** The answer to question. */
export interface QuestionResponseCommand {
  type: "question_response";
  sessionId: string;
  turnId: string;
  questionId: string;
  /** The chosen option or the text. With several choices they are joined by a comma and a space. */
  answer: string;
  /** The choices one by one where several were allowed. */
  answers?: string[];
  /** The values by the names of their fields, where the question had fields. Each is of its field's type. */
  values?: Record<string, unknown>;
  /** The user did not answer. */
  cancelled?: boolean;
  /** The user did not want to answer, where that is known; cancelled is true then. */
  declined?: boolean;
  /** Why nobody was asked, where the question was refused without asking. */
  reason?: string;
}

/** The answer to editor_request. */
export interface EditorResponseCommand {
  type: "editor_response";
  sessionId: string;
  turnId: string;
  requestId: string;
  /** The editor has done it. */
  ok: boolean;
  /** Why it was not done. */
  error?: string;
  /** The text that was read. */
  text?: string;
  /** The terminal that was created. */
  terminalId?: string;
  /** The terminal's output so far. */
  output?: string;
  /** The beginning of the output is lost. */
  truncated?: boolean;
  /** The terminal's command has ended. */
  exited?: boolean;
  exitCode?: number;
  /** The signal that ended the command. */
  signal?: string;
}

/** Set an option that was offered. Say what it is set to with mode_changed, model_changed or config_options, or refuse with option_refused. */
export interface SetOptionCommand {
  type: "set_option";
  sessionId: string;
  /** The id in config_options; mode and model for what mode_changed and model_changed have told. */
  optionId: string;
  /** The id of a choice that was offered, or true or false. */
  value: string | boolean;
}

export interface Editor {
  name?: string;
  version?: string;
  /** It can read files, with unsaved changes. */
  readFile: boolean;
  /** It can write files. */
  writeFile: boolean;
  /** It can run commands in terminals of its own. */
  terminal: boolean;
  /** It can ask questions with several fields. */
  forms: boolean;
  /** It can send the user to a page. */
  pages: boolean;
}

export interface HistoryEntry {
  role: Role;
  text: string;
}

export interface SystemPrompt {
  /** Whether the agent adds the text to its own instructions or has it in their place. */
  mode: SystemPromptMode;
  text: string;
}

/** One line that an agent prints on its standard output. Members that are not listed are kept, and an event of a type that is not listed is passed on as it came. */
export type AgentEvent =
  | AgentInfoEvent
  | RunStartEvent
  | ContextMetaEvent
  | TextDeltaEvent
  | ThinkingDeltaEvent
  | ContentEvent
  | CitationEvent
  | UserMessageEvent
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

/** One line that an agent reads from its standard input. An agent should skip commands and members that it does not know. The end of its input means: stop. */
export type AgentCommand =
  | SessionCommand
  | PromptCommand
  | CancelCommand
  | ToolConfirmationResponseCommand
  | QuestionResponseCommand
  | EditorResponseCommand
  | SetOptionCommand;
