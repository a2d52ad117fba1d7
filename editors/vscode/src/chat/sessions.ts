/**
 * The chats that can be reopened: the agent's saved sessions in the workspace
 * folders.
 */
import type { SessionInfo } from "@agentclientprotocol/sdk";

import type { ChatState, SessionEntry } from "../shared/model.js";
import type { AgentSession } from "./agentSession.js";
import { newTitle, titleOf } from "./sessionFacts.js";
import type { Machine } from "./machine.js";

const mostListed = 10_000;

export interface Wanted {
  folders: readonly string[];
  /** The open session. */
  current: string | undefined;
  /** The agent whose sessions are listed. */
  agent: string;
  /** The server's sessions, if there is a server. */
  served?: readonly ServedSession[] | undefined;
}

/**
 * Returns why an agent's chats can't be listed, in words for the user; undefined if
 * they can.
 */
export function unlistable(live: AgentSession | undefined): string | undefined {
  if (!live) return "The agent is not running, so its chats cannot be listed.";
  return live.keepsSessions ? undefined : "This agent does not save chats.";
}

/** A session on a server, or an open one. */
export interface ServedSession {
  id: string;
  agent: string;
  cwd: string;
  title?: string;
  /** RFC 3339. */
  updatedAt?: string;
  /** Its state, if it is open there. */
  state?: ChatState;
}

type Known = Pick<SessionInfo, "cwd" | "title"> & { agent?: string };

export class Sessions {
  /**
   * The sessions listed last, by ACP session id; those of other agents include the
   * agent's name.
   */
  #known = new Map<string, Known>();
  /** The server's sessions, which can be opened even if the agent doesn't list them. */
  #served = new Map<string, Known>();
  readonly #machine: Pick<Machine, "everyFolder" | "paths">;

  constructor(machine: Pick<Machine, "everyFolder" | "paths">) {
    this.#machine = machine;
  }

  /**
   * Lists sessions page by page, the newest of each folder first. Sessions that are
   * busy, or whose last turn the user has not seen, come before them, and other agents' sessions after
   * them. Without `live`, only open sessions are listed.
   */
  async *list(live: AgentSession | undefined, { folders, current, agent, served = [] }: Wanted): AsyncGenerator<SessionEntry[]> {
    const { everyFolder, paths } = this.#machine;
    const known = new Map<string, Known>();
    this.#known = known;
    const states = new Map(served.filter((s) => s.agent === agent).map((s) => [s.id, s.state]));
    const others = served.filter((s) => s.id !== current && (s.agent !== agent || s.state !== "open" || !live));
    const entriesOf = (sessions: ServedSession[]): SessionEntry[] =>
      sessions.filter(({ id }) => !known.has(id)).map((s) => {
        known.set(s.id, s);
        const { id, title, cwd, state, updatedAt } = s;
        return {
          id,
          title: titleOf(title ?? ""),
          ...(s.agent === agent ? {} : { agent: s.agent }),
          ...(s.agent !== agent || everyFolder || folders.length > 1 ? { folder: paths.base(cwd) } : {}),
          ...(state ? { state } : {}),
          ...(updatedAt ? { updatedAt } : {}),
          current: false,
          canRename: s.agent === agent && (live?.canRename ?? false),
          canDelete: s.agent === agent && (live?.canDelete ?? false),
        };
      });
    const busy = others.filter(({ state }) => state !== undefined && state !== "open");
    if (busy.length > 0) yield entriesOf(busy);
    for (const folder of everyFolder ? [undefined] : folders) {
      for await (const page of live?.list(folder) ?? []) {
        const fresh = page.filter(({ sessionId }) => !known.has(sessionId)).slice(0, mostListed - known.size);
        for (const info of fresh) known.set(info.sessionId, info);
        yield fresh.map(({ sessionId, title, updatedAt, cwd }) => ({
          id: sessionId,
          title: titleOf(title ?? ""),
          ...(everyFolder || folders.length > 1 ? { folder: paths.base(cwd) } : {}),
          ...(states.get(sessionId) ? { state: states.get(sessionId) } : {}),
          ...(updatedAt ? { updatedAt } : {}),
          current: sessionId === current,
          canRename: live?.canRename ?? false,
          canDelete: live?.canDelete ?? false,
        }));
        if (known.size >= mostListed) return;
      }
    }
    if (others.length > busy.length) yield entriesOf(others.filter(({ updatedAt, state }) => updatedAt !== undefined || state === "open"));
  }

  served(sessions: readonly ServedSession[]): void {
    this.#served = new Map(sessions.map((session) => [session.id, session]));
  }

  /** Returns what is known about a listed session. */
  find(id: string): { title?: string; cwd: string; agent?: string } | undefined {
    const info = this.#known.get(id) ?? this.#served.get(id);
    if (!info) return undefined;
    const { cwd, agent } = info;
    const title = titleOf(info.title ?? "");
    return { cwd, ...(agent === undefined ? {} : { agent }), ...(title === newTitle ? {} : { title }) };
  }
}
