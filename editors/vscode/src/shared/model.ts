/**
 * A chat: a growing list of items, and a few facts about the session.
 *
 * The extension host owns and changes it (`chat/`); the view only shows it. So it
 * is plain data that survives `JSON.stringify`, and all its texts are plain text:
 * nothing here is HTML, whatever the agent sent.
 */
import type { ContentBlock, Cost, PlanEntry, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";

/** One entry in the chat, from top to bottom. Ids are unique in a chat. */
export type Item = UserMessage | AgentMessage | Thought | ToolCall | Plan | Changes | Notice | Question | Login;

export interface UserMessage {
  type: "user";
  id: string;
  text: string;
  /** Attached files, selections and images. */
  attachments: Attachment[];
  /** The session can be forked here: a copy of it ends before this message. */
  cursor?: string;
}

export interface AgentMessage {
  type: "message";
  id: string;
  /** Markdown. */
  text: string;
  /** Images and links that came as separate blocks; shown after the text. */
  blocks: ContentBlock[];
}

export interface Thought {
  type: "thought";
  id: string;
  /** Markdown. */
  text: string;
  /**
   * When it began and ended, in milliseconds since 1970; `ended` is unset while
   * it streams.
   */
  started: number;
  ended?: number;
}

/** `rejected`: the user didn't allow it; `interrupted`: its turn was cut off. The host determines both. */
export type ToolStatus = "pending" | "in_progress" | "completed" | "failed" | "cancelled" | "rejected" | "interrupted";

export interface ToolCall {
  type: "tool";
  /** The protocol's toolCallId. */
  id: string;
  /** The id of the sub-agent or tool call that contains this one. */
  parent?: string;
  title: string;
  name?: string;
  kind: ToolKind;
  status: ToolStatus;
  started: number;
  ended?: number;
  locations: ToolCallLocation[];
  /** The arguments as indented JSON, cut if huge; empty for a call without arguments. */
  input: string;
  /** Its output and results, in order; huge texts are cut in their middle. */
  content: ToolContent[];
  /** Its progress, from 0 to 1. */
  progress?: number;
  /** The pending permission request; unset once answered. */
  permission?: Permission;
  /** The answer to its last request, in words. */
  decision?: string;
  /** The answer didn't allow it. */
  refused?: true;
  /** The answer allowed only some of its changes. */
  partly?: true;
  /** The answer is not sent yet, because the server can't be reached. */
  unsent?: true;
}

export type ToolContent =
  | { type: "text"; text: string; markdown: boolean }
  | { type: "block"; block: ContentBlock }
  | DiffContent
  /**
   * A terminal of the editor, or the agent's own terminal output; `text` may
   * contain ANSI escapes.
   */
  | { type: "terminal"; terminalId: string; text: string; exitCode?: number; signal?: string };

export interface DiffContent {
  type: "diff";
  path: string;
  /** The path relative to the workspace; unset outside of it. */
  label?: string;
  /** Unset for a new file. */
  oldText?: string;
  newText: string;
  /** The unified diff, line by line, computed by the host; `gap` stands for omitted lines. */
  lines: DiffLine[];
  added: number;
  removed: number;
}

export interface DiffLine {
  kind: "same" | "added" | "removed" | "gap";
  text: string;
  /** The line's number in the new text, or in the old one if it is removed. Unset if the texts are a part of a file at an unknown position. */
  number?: number;
  /** The changed ranges of the line; `to` is exclusive. */
  marks?: [from: number, to: number][];
}

export interface Permission {
  /** Identifies the request in the answer. */
  requestId: string;
  /** The agent's reason for the request, if it gave one. */
  reason?: string;
  options: PermissionChoice[];
  /** The files whose changes can be refused one by one. */
  parts?: ChangedPart[];
}

export interface ChangedPart {
  path: string;
  /** The number of changes, in the order of the diff. */
  changes: number;
  /** The refused changes, numbered from 0. */
  refused: number[];
}

export interface PermissionChoice {
  id: string;
  name: string;
  kind: "allow_once" | "allow_always" | "reject_once" | "reject_always";
}

export interface Plan {
  type: "plan";
  id: string;
  entries: PlanEntry[];
  /** The turn has ended, so no entry is in progress, whatever the plan says. */
  over?: boolean;
}

/** A turn's file changes. */
export interface Changes {
  type: "changes";
  id: string;
  files: ChangedFile[];
  /** The editor can show all changes. */
  review: boolean;
  /** At least some changes can be undone. */
  undo: boolean;
  /** The result of the undo: a line, and one for each file that was not restored. */
  undone?: string;
}

export interface ChangedFile {
  path: string;
  /** The path relative to the workspace; unset outside of it. */
  label?: string;
  added: number;
  removed: number;
  created: boolean;
}

export interface Notice {
  type: "notice";
  id: string;
  severity: "info" | "warning" | "error";
  title: string;
  description?: string;
  /** The prompt can be sent again. */
  retry?: boolean;
  /** The remedies to offer. */
  fixes?: Fix[];
  /** Only a line that says how a turn ended. */
  quiet?: boolean;
}

/** What the user can do about an error. */
export type Fix = "install" | "settings" | "log" | "again" | "trust" | "folder";

export interface Question {
  type: "question";
  id: string;
  message: string;
  fields: Field[];
  /** Set once it is answered, declined or withdrawn; text for the user. */
  answer?: string;
  /** The answer is not sent yet, because the server can't be reached. */
  unsent?: true;
}

/** The agent needs a login before it continues. */
export interface Login {
  type: "login";
  id: string;
  /** The agent's message about it. */
  message: string;
  methods: LoginMethod[];
  /** The method being tried. */
  trying?: string;
  /** Why the last method failed. */
  fault?: string;
  /** Set once it is over; text for the user. */
  answer?: string;
}

export interface LoginMethod {
  id: string;
  name: string;
  description?: string;
  /** The command it runs in a terminal of the editor. */
  command?: string;
  /**
   * Variables that the agent must be started with; such a method can't be chosen.
   */
  variables?: { name: string; label?: string; optional: boolean }[];
}

/** One field of a form, made from the elicitation's schema. */
export interface Field {
  name: string;
  label: string;
  description?: string;
  required: boolean;
  input:
    | { kind: "text"; multiline: boolean; format?: "email" | "uri" | "date" | "date-time"; minLength?: number; maxLength?: number; pattern?: string; secret?: true; default?: string }
    | { kind: "number"; integer: boolean; minimum?: number; maximum?: number; default?: number }
    | { kind: "boolean"; default?: boolean }
    | { kind: "choice"; choices: FieldChoice[]; default?: string }
    | { kind: "choices"; choices: FieldChoice[]; default?: string[]; minItems?: number; maxItems?: number };
}

export interface FieldChoice {
  value: string;
  label: string;
}

export interface Attachment {
  kind: "file" | "selection" | "image";
  /**
   * The chip's text: a path relative to the workspace, with line numbers for a
   * selection.
   */
  label: string;
  uri: string;
  /** An image as a data: URL. */
  data?: string;
}

/** A prompt sent during a turn. */
export interface QueuedPrompt {
  id: string;
  text: string;
  attachments: Attachment[];
  /** The agent has it, and has not read it yet. */
  sending?: true;
}

export interface Queue {
  /** The next one comes first. */
  prompts: QueuedPrompt[];
  /**
   * If set, nothing is sent until the user decides. The value is the reason: how
   * the last turn ended, or that the chat was left.
   */
  held?: "cancelled" | "failed" | "stopped" | "left";
}

/** One of the agent's options, such as its mode or model. */
export interface Option {
  id: string;
  name: string;
  description?: string;
  category?: string;
  current: string | boolean;
  /** Empty for an on/off option. */
  choices: OptionChoice[];
}

export interface OptionChoice {
  value: string;
  name: string;
  description?: string;
  group?: string;
}

export interface Command {
  name: string;
  description: string;
  hint?: string;
}

export interface Usage {
  used: number;
  size?: number;
  cost?: Cost;
}

/** Everything about a chat except its items. */
export interface Session {
  /**
   * The chat's own id, which survives a restart of the agent, unlike the
   * protocol's session id.
   */
  chatId: string;
  title: string;
  /** The configured name of the agent. */
  agent: string;
  /** What the agent calls itself, once it said so. */
  agentName?: string;
  /** The names of the agents to choose from. */
  agents: string[];
  /** The editor has a list of all agents, and adds those that are not installed. */
  listsAgents?: true;
  status: "starting" | "idle" | "running" | "cancelling" | "failed";
  /** When it was to be opened, another process had its session open. */
  held?: true;
  options: Option[];
  commands: Command[];
  usage?: Usage;
  /** Absolute paths of the workspace folders; paths are shown relative to them. */
  folders?: string[];
  /** What the agent accepts besides text. */
  accepts: { image: boolean; embedded: boolean };
  /** Whether it reads messages during a turn. */
  steers?: boolean;
  /** The chat is shown as it was, and nothing can be sent. */
  offline?: true;
}

/**
 * The state of an open chat. `done` and `failed`: its turn ended that way, or its agent
 * stopped, while no view showed it.
 */
export type ChatState = "open" | "running" | "waiting" | "done" | "failed";

/** An open chat with messages, by its ACP session's id. */
export interface OpenChatEntry {
  id: string;
  state: ChatState;
  /** The view shows this chat. */
  current: boolean;
}

/** A chat that can be reopened: one of the agent's saved sessions. */
export interface SessionEntry {
  /** The protocol's session id. */
  id: string;
  title: string;
  /** The agent's name, if it isn't the open chat's agent. */
  agent?: string;
  /** The folder's name, if the workspace has several. */
  folder?: string;
  /** RFC 3339. */
  updatedAt?: string;
  /** Its state, if it is open here or on a server. */
  state?: ChatState | undefined;
  current: boolean;
  canRename: boolean;
  canDelete: boolean;
}

export interface Chat {
  session: Session;
  items: Item[];
  /** The prompts to send when the turn ends. */
  queue?: Queue;
}
