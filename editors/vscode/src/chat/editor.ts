/**
 * What a chat needs from the editor around it.
 *
 * Nothing below `chat/` imports `vscode`: the editor is passed in, so that a whole
 * chat runs in plain Node.js, in its own tests and in the view's.
 */
import type { Attachment, Fix, DiffContent, Login, Permission, Question, Session, ToolCall } from "../shared/model.js";
import type { Command } from "./command.js";
import type { ServedSession } from "./sessions.js";
import type { RunningTerminal } from "./terminals.js";

export interface Editor {
  /** The absolute paths of the workspace folders. The agent works in the first one. */
  folders(): string[];
  /** Whether the user trusts the workspace. If not, no agent is started. */
  trusted(): boolean;

  /** The text of a file as the user sees it, saved or not. */
  readTextFile(path: string): Promise<string>;
  writeTextFile(path: string, text: string): Promise<void>;
  /** Called when a command was started for the agent. */
  showTerminal(terminal: RunningTerminal): void;

  /**
   * Runs a login in a terminal with user input. Resolves with its exit code, or
   * undefined if the terminal was closed. `signal` closes it.
   */
  runLogin(login: LoginCommand, signal: AbortSignal): Promise<number | undefined>;

  openDiff(diff: ShownDiff): Promise<void>;
  /** Shows a long text for reading. */
  openText(title: string, text: string): Promise<void>;
  /** Shows a turn's changes, file by file; unset if there is no such view. */
  review?(files: ReviewedFile[]): Promise<void>;
  /** Moves a file to the trash if the system has one; unset if the editor has no files. */
  trash?(path: string): Promise<void>;
  openFile(path: string, line?: number): Promise<void>;
  /** Opens a link after asking the user. */
  openLink(href: string): Promise<void>;
  copy(text: string): Promise<void>;
  insert(text: string): Promise<void>;
  findFiles(query: string): Promise<Attachment[]>;
  /**
   * The available remedies for errors, and the function that applies one; unset if
   * nothing helps here.
   */
  readonly fixes?: readonly Fix[];
  fix?(fix: Fix): Promise<void>;
  /** Lets the user choose the agent for this chat and new ones; unset if there is no list of agents. */
  chooseAgent?(): Promise<void>;
  /** Asks the user; resolves with true only if they agreed. */
  confirm(question: string, yes: string): Promise<boolean>;
  /** Shows the user a message that belongs to no chat. */
  tell(message: string): void;

  /** Called when a request is pending; notifies the user if the chat is hidden. */
  asked(request: PendingRequest): void;
  /** Called when a request was answered or withdrawn. */
  settled(id: string): void;
  /** The sessions of all agents on a server; unset without a server. */
  servedSessions?(): Promise<ServedSession[]>;
  /**
   * Called when the session changed, for everything that shows it outside of the
   * chat.
   */
  sessionChanged(session: Session): void;
}

/** A diff for the editor's diff view, and its tool call. */
export interface ShownDiff {
  chatId: string;
  toolCallId: string;
  index: number;
  title: string;
  diff: DiffContent;
}

/** A file's content before and after a turn; null if it didn't exist. */
export interface ReviewedFile {
  path: string;
  before: string | null;
  after: string | null;
  /** Whether the file still has the content that the turn left. */
  onDisk: boolean;
}

export interface LoginCommand extends Command {
  title: string;
  cwd: string;
}

export type PendingRequest = { id: string; chatId: string } & (
  | { type: "permission"; call: ToolCall; permission: Permission }
  | { type: "question"; question: Question }
  | { type: "login"; login: Login }
);
