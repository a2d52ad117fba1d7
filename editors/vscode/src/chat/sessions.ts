/**
 * The chats that can be opened again: those that are kept here, and those that the
 * agent says it has.
 *
 * Titles that the person gives are kept here, because the protocol has no way to
 * tell the agent of them.
 */
import type { SessionInfo } from "@agentclientprotocol/sdk";

import type { SessionEntry } from "../shared/model.js";
import type { AgentSession } from "./agentSession.js";
import type { Before } from "./conversation.js";
import { titleOf } from "./facts.js";
import type { Entry, History } from "./history.js";

const mostOfAgent = 500;
/** Stands before the protocol's id of a session that is known to the agent alone. */
const ofAgent = "agent:";

export class Sessions {
  readonly #history: History;
  /** What the agent last said that it has, by the protocol's id. */
  #known = new Map<string, SessionInfo>();

  constructor(history: History) {
    this.#history = history;
  }

  async list(live: AgentSession | undefined, cwd: string | undefined, current: string): Promise<SessionEntry[]> {
    const kept = await this.#history.list();
    this.#known = new Map((await listed(live, cwd)).map((info) => [info.sessionId, info]));
    const out = kept.map((e): SessionEntry => {
      const { title, updatedAt } = this.#known.get(e.sessionId ?? "") ?? {};
      return {
        id: e.id,
        title: e.named || !title ? e.title : titleOf(title),
        updatedAt: updatedAt ?? e.updatedAt,
        current: e.id === current,
        canRename: true,
        canDelete: true,
      };
    });
    const mine = new Set(kept.map((e) => e.sessionId));
    if (live) mine.add(live.id); // the open chat, which is kept when something has been said
    for (const { sessionId, title, updatedAt } of this.#known.values()) {
      if (mine.has(sessionId)) continue;
      out.push({
        id: ofAgent + sessionId,
        title: titleOf(title ?? ""),
        ...(updatedAt ? { updatedAt } : {}),
        current: false,
        canRename: false,
        canDelete: Boolean(live?.capabilities.sessionCapabilities?.delete),
      });
    }
    return out.sort((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""));
  }

  /** What a chat begins with when it is opened again, and the agent that it was with. */
  async open(id: string): Promise<{ before: Before; agent?: string } | undefined> {
    if (id.startsWith(ofAgent)) {
      const info = this.#known.get(id.slice(ofAgent.length));
      return info && { before: { sessionId: info.sessionId, title: titleOf(info.title ?? ""), items: [] } };
    }
    const entry = await this.#find(id);
    return entry && { before: await this.before(entry), agent: entry.agent };
  }

  async before({ id, title, named, sessionId }: Entry): Promise<Before> {
    const items = await this.#history.items(id);
    return { chatId: id, title, named, items, ...(sessionId === undefined ? {} : { sessionId }) };
  }

  async rename(id: string, title: string): Promise<void> {
    const entry = await this.#find(id);
    if (entry && title.trim() !== "") await this.#history.put({ ...entry, title: titleOf(title), named: true });
  }

  async delete(id: string, live: AgentSession | undefined): Promise<void> {
    const entry = await this.#find(id);
    const sessionId = id.startsWith(ofAgent) ? id.slice(ofAgent.length) : entry?.sessionId;
    // What the agent has said that it has; else its session is gone with its process.
    const theirs = sessionId !== undefined && this.#known.has(sessionId);
    if (theirs && live?.capabilities.sessionCapabilities?.delete) await live.delete(sessionId);
    if (entry) await this.#history.delete(id);
  }

  async #find(id: string): Promise<Entry | undefined> {
    return (await this.#history.list()).find((e) => e.id === id);
  }
}

/** An agent that cannot list its sessions, or fails to, has none that can be seen. */
async function listed(live: AgentSession | undefined, cwd: string | undefined): Promise<SessionInfo[]> {
  const can = live?.capabilities;
  const opens = can?.loadSession || can?.sessionCapabilities?.resume;
  if (!live || cwd === undefined || !can?.sessionCapabilities?.list || !opens) return [];
  return live.list(cwd, mostOfAgent).catch(() => []);
}
