/**
 * What is known about a chat's session: title, status, options, commands, usage.
 */
import type {
  AvailableCommand,
  PromptCapabilities,
  SessionConfigOption,
  UsageUpdate,
} from "@agentclientprotocol/sdk";

import type { Session } from "../shared/model.js";
import type { SessionState } from "./agentSession.js";
import type { ConversationOptions } from "./conversationOptions.js";
import { Options } from "./options.js";
import type { SessionFacts } from "./updates.js";

export const newTitle = "New chat";
const maxTitle = 80;
const maxCommands = 1_000;

export class Facts implements SessionFacts {
  readonly options = new Options();
  readonly #changed: (session: Session) => void;
  #session: Session;

  constructor(session: Session, changed: (session: Session) => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Returns the facts of a chat whose agent hasn't sent anything yet. */
  static begin({ agent, agents, before, editor }: Pick<ConversationOptions, "agent" | "agents" | "before" | "editor">, chatId: string, changed: (session: Session) => void): Facts {
    const session: Session = {
      chatId,
      title: before?.title ?? newTitle,
      agent,
      agents,
      ...(editor.chooseAgent ? { listsAgents: true as const } : {}),
      status: "idle",
      options: [],
      commands: [],
      folders: editor.folders(),
      accepts: { image: false, embedded: false },
    };
    return new Facts(session, changed);
  }

  get session(): Session {
    return this.#session;
  }

  change(change: Partial<Session>): void {
    this.#session = { ...this.#session, ...change };
    this.#changed(this.#session);
  }

  /** Applies the state of a new session. */
  sessionBegins(state: SessionState, takes: PromptCapabilities | undefined, steers: boolean): void {
    this.options.begin(state);
    this.change({
      options: this.options.shown,
      accepts: { image: takes?.image ?? false, embedded: takes?.embeddedContext ?? false },
      steers,
    });
  }

  title(title: string): void {
    this.change({ title: titleOf(title) });
  }

  steers(steers: boolean | undefined): void {
    if (steers !== undefined && steers !== this.#session.steers) this.change({ steers });
  }

  agentName(name: string): void {
    this.change({ agentName: titleOf(name) });
  }

  commands(commands: readonly AvailableCommand[]): void {
    this.change({
      commands: commands.slice(0, maxCommands).map(({ name, description, input }) => ({
        name,
        description,
        ...(input?.hint ? { hint: input.hint } : {}),
      })),
    });
  }

  configOptions(options: readonly SessionConfigOption[]): void {
    this.options.setConfig(options);
    this.change({ options: this.options.shown });
  }

  mode(id: string): void {
    this.options.setMode(id);
    this.change({ options: this.options.shown });
  }

  usage({ used, size, cost }: UsageUpdate): void {
    this.change({ usage: { used, ...(size > 0 ? { size } : {}), ...(cost ? { cost } : {}) } });
  }
}

/** Returns the title of a chat that begins with this prompt: its first sentence, without Markdown. */
export function titleFromPrompt(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  const plain = line
    .replace(/^\s*(?:[#>]+|[-*+]|\d+[.)])\s+/, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(^|\s)\*\*(\S(?:.*?\S)?)\*\*(?=[\s.,:;!?]|$)/g, "$1$2")
    .replace(/`+/g, "");
  const [sentence = plain] = /^.{12,}?[.!?](?=\s)/.exec(plain) ?? [];
  return titleOf(sentence);
}

/** Returns a text as one line, short enough for a list. */
export function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  const short = [...line].slice(0, maxTitle).join("");
  return short === line ? line || newTitle : `${short}…`;
}
