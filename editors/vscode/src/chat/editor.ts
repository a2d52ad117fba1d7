/**
 * What a chat needs of the editor around it.
 *
 * Nothing below `chat/` imports `vscode`: an editor is handed in, so that the whole
 * of a chat runs in plain Node, in its tests as in the view's.
 */
import type { Attachment, Cure, DiffContent, Login, Permission, Question, Session, ToolCall } from "../shared/model.js";
import type { Command } from "./command.js";
import type { ServedSession } from "./sessions.js";
import type { RunningTerminal } from "./terminals.js";

export interface Editor {
  /** The absolute paths of the workspace's folders. The agent works in the first one. */
  folders(): string[];
  /** Whether the person trusts the workspace: without that no agent is started. */
  trusted(): boolean;

  /** The text of a file as the person sees it, saved or not. */
  readTextFile(path: string): Promise<string>;
  writeTextFile(path: string, text: string): Promise<void>;
  /** A command has been started for the agent. */
  showTerminal(terminal: RunningTerminal): void;

  /**
   * Runs a login in a terminal that the person can type in. Gives its exit code, or
   * nothing where it was closed. `signal` closes it.
   */
  runLogin(login: LoginCommand, signal: AbortSignal): Promise<number | undefined>;

  openDiff(diff: ShownDiff): Promise<void>;
  /** Shows what a turn has changed, file by file; left out where there is no view for that. */
  review?(files: ReviewedFile[]): Promise<void>;
  /** Moves a file to the trash, where the system has one; left out where there are no files. */
  trash?(path: string): Promise<void>;
  openFile(path: string, line?: number): Promise<void>;
  /** Asks the person before anything is opened. */
  openLink(href: string): Promise<void>;
  copy(text: string): Promise<void>;
  insert(text: string): Promise<void>;
  findFiles(query: string): Promise<Attachment[]>;
  /** What can be done here about an error, and does it; left out where that is nothing. */
  readonly cures?: readonly Cure[];
  cure?(cure: Cure): Promise<void>;
  /** Asks the person, and is true only where they said yes. */
  confirm(question: string, yes: string): Promise<boolean>;
  /** Tells the person something that belongs to no chat. */
  tell(message: string): void;

  /** The person is asked something; where they cannot see the chat, tell them. */
  asked(ask: Ask): void;
  /** What was asked is answered or withdrawn. */
  settled(id: string): void;
  /** The sessions of all agents of a server; left out where there is none. */
  servedSessions?(): Promise<ServedSession[]>;
  /** For whatever shows the session outside of the chat. */
  sessionChanged(session: Session): void;
}

/** A difference to show in the editor's own view, and the call that wants to make it. */
export interface ShownDiff {
  toolCallId: string;
  index: number;
  title: string;
  diff: DiffContent;
}

/** A file as it was before a turn and after it; null where there was none. */
export interface ReviewedFile {
  path: string;
  before: string | null;
  after: string | null;
  /** The file is still what the turn has left. */
  onDisk: boolean;
}

export interface LoginCommand extends Command {
  title: string;
  cwd: string;
}

export type Ask =
  | { id: string; type: "permission"; call: ToolCall; permission: Permission }
  | { id: string; type: "question"; question: Question }
  | { id: string; type: "login"; login: Login };
