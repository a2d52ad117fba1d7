/**
 * What a chat is: a list of items that grows, and a few facts about the session.
 *
 * The extension host owns it and changes it (`chat/`); the view only shows it. So
 * it is plain data that survives `JSON.stringify`, and every text in it is text:
 * nothing here is HTML, whatever the agent sent.
 */
import type { ContentBlock, Cost, PlanEntry, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";

/** One thing in the chat, from top to bottom. Ids are unique in a chat. */
export type Item = UserMessage | AgentMessage | Thought | ToolCall | Plan | Changes | Notice | Question | Login;

export interface UserMessage {
  type: "user";
  id: string;
  text: string;
  /** Files, selections and images that were sent along. */
  attachments: Attachment[];
}

export interface AgentMessage {
  type: "message";
  id: string;
  /** Markdown. */
  text: string;
  /** Images and links that came as blocks of their own, behind the text. */
  blocks: ContentBlock[];
}

export interface Thought {
  type: "thought";
  id: string;
  /** Markdown. */
  text: string;
  /** When it began and ended, in milliseconds since 1970; no end while it streams. */
  started: number;
  ended?: number;
}

/** `rejected`: the person did not allow it; `interrupted`: its turn was cut off. Both are told apart by the host. */
export type ToolStatus = "pending" | "in_progress" | "completed" | "failed" | "cancelled" | "rejected" | "interrupted";

export interface ToolCall {
  type: "tool";
  /** The protocol's toolCallId. */
  id: string;
  /** The sub-agent's or tool call's id inside of which this one runs. */
  parent?: string;
  title: string;
  name?: string;
  kind: ToolKind;
  status: ToolStatus;
  started: number;
  ended?: number;
  locations: ToolCallLocation[];
  /** The arguments as indented JSON, cut where they are huge; empty if there are none. */
  input: string;
  /** What it printed or answered, in order; texts are cut in their middle where they are huge. */
  content: ToolContent[];
  /** How much of it is done, from 0 to 1. */
  progress?: number;
  /** Asks for the person's consent; gone when answered. */
  permission?: Permission;
  /** How the last question about it was answered, in words. */
  decision?: string;
  /** That answer did not allow it. */
  refused?: true;
}

export type ToolContent =
  | { type: "text"; text: string; markdown: boolean }
  | { type: "block"; block: ContentBlock }
  | DiffContent
  /** A terminal of the editor, or the agent's own output in one; `text` may hold ANSI escapes. */
  | { type: "terminal"; terminalId: string; text: string; exitCode?: number; signal?: string };

export interface DiffContent {
  type: "diff";
  path: string;
  /** The path as people say it, relative to the workspace; absent outside of it. */
  label?: string;
  /** Absent for a new file. */
  oldText?: string;
  newText: string;
  /** The unified difference, a line each, made by the host; `gap` stands for lines left out. */
  lines: DiffLine[];
  added: number;
  removed: number;
}

export interface DiffLine {
  kind: "same" | "added" | "removed" | "gap";
  text: string;
  /** Its number: in the new text, or in the old one where it is removed. Absent where the texts are a part of a file that nobody has placed. */
  number?: number;
  /** What of the line has changed, from one character to before another one. */
  marks?: [from: number, to: number][];
}

export interface Permission {
  /** Names the request in the answer. */
  requestId: string;
  /** Why it is asked, where the agent says so. */
  reason?: string;
  options: PermissionChoice[];
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
  /** Its turn has ended: nothing of it is under way, whatever it says. */
  over?: boolean;
}

/** What a turn has changed in files. */
export interface Changes {
  type: "changes";
  id: string;
  files: ChangedFile[];
  /** All of it can be looked at in the editor. */
  review: boolean;
  /** It can be undone, or more of it can. */
  undo: boolean;
  /** What came of the undo, in words: a line, and one for each file that it has left. */
  undone?: string;
}

export interface ChangedFile {
  path: string;
  /** The path as people say it, relative to the workspace; absent outside of it. */
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
  /** What helps. */
  cures?: Cure[];
  /** A line that says how a turn ended, and no more. */
  quiet?: boolean;
}

/** What a person can do about something that went wrong. */
export type Cure = "install" | "settings" | "log" | "again" | "trust" | "folder";

export interface Question {
  type: "question";
  id: string;
  message: string;
  fields: Field[];
  /** Set when it was answered, declined or withdrawn: in words, for the person. */
  answer?: string;
}

/** The agent wants to know who the person is before it goes on. */
export interface Login {
  type: "login";
  id: string;
  /** What the agent says of it. */
  message: string;
  methods: LoginMethod[];
  /** The method that is under way. */
  trying?: string;
  /** Why the last one has not worked. */
  fault?: string;
  /** Set when it is over: in words, for the person. */
  answer?: string;
}

export interface LoginMethod {
  id: string;
  name: string;
  description?: string;
  /** What it runs in a terminal of the editor. */
  command?: string;
  /** What the agent must be started with; such a method cannot be chosen. */
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
  /** What the chip says: a path relative to the workspace, with lines for a selection. */
  label: string;
  uri: string;
  /** An image as a data: URL. */
  data?: string;
}

/** A prompt that was typed during a turn. */
export interface QueuedPrompt {
  id: string;
  text: string;
  attachments: Attachment[];
}

export interface Queue {
  /** The next one first. */
  prompts: QueuedPrompt[];
  /** Nothing is sent until the person says so, and why: how the last turn ended, or that the chat was left. */
  held?: "cancelled" | "failed" | "stopped" | "left";
}

/** An option of the agent that can be chosen: its mode, its model and so on. */
export interface Option {
  id: string;
  name: string;
  description?: string;
  category?: string;
  current: string | boolean;
  /** Empty for an option that is on or off. */
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

/** Everything about a chat but its items. */
export interface Session {
  /** Of the chat, not the protocol's: it stays when the agent is started again. */
  chatId: string;
  title: string;
  agent: string;
  /** Names of the agents that can be chosen. */
  agents: string[];
  status: "starting" | "idle" | "running" | "cancelling" | "failed";
  options: Option[];
  commands: Command[];
  usage?: Usage;
  /** Absolute paths of the workspace's folders; paths inside of them are shown without them. */
  folders?: string[];
  /** What the agent takes beside text. */
  accepts: { image: boolean; embedded: boolean };
}

/** One of the chats that can be opened again: a session that the agent has kept. */
export interface SessionEntry {
  /** The protocol's. */
  id: string;
  title: string;
  /** The agent's name, where it is another than that of the open chat. */
  agent?: string;
  /** The name of its folder, where the workspace has several. */
  folder?: string;
  /** RFC 3339. */
  updatedAt?: string;
  /** It is open at a server, and what it does there. */
  state?: "open" | "running" | "waiting" | undefined;
  current: boolean;
  canRename: boolean;
  canDelete: boolean;
}

export interface Chat {
  session: Session;
  items: Item[];
  /** What is sent when the turn is over. */
  queue?: Queue;
}
