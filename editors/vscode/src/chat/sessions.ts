/**
 * The chats that can be opened again: the sessions that the agent has kept in the
 * folders of the workspace.
 */
import type { SessionInfo } from "@agentclientprotocol/sdk";

import type { SessionEntry } from "../shared/model.js";
import type { AgentSession } from "./agentSession.js";
import { newTitle, titleOf } from "./facts.js";
import type { Machine } from "./machine.js";

const mostListed = 10_000;

/** Why an agent's chats cannot be listed, in words for the person; nothing where they can. */
export function unlistable(live: AgentSession | undefined): string | undefined {
  if (!live) return "The agent does not run, so its chats cannot be listed.";
  return live.keepsSessions ? undefined : "This agent does not keep its chats, so there are none to open again.";
}

export class Sessions {
  /** What the agent last said that it has, by the protocol's id. */
  #known = new Map<string, SessionInfo>();
  readonly #machine: Pick<Machine, "everyFolder" | "paths">;

  constructor(machine: Pick<Machine, "everyFolder" | "paths">) {
    this.#machine = machine;
  }

  /** The newest of each folder first, a page after the other. */
  async *list(live: AgentSession, folders: readonly string[], current: string | undefined, states: ReadonlyMap<string, SessionEntry["state"]> = new Map()): AsyncGenerator<SessionEntry[]> {
    const { everyFolder, paths } = this.#machine;
    const known = new Map<string, SessionInfo>();
    this.#known = known;
    for (const folder of everyFolder ? [undefined] : folders) {
      for await (const page of live.list(folder)) {
        const fresh = page.filter(({ sessionId }) => !known.has(sessionId)).slice(0, mostListed - known.size);
        for (const info of fresh) known.set(info.sessionId, info);
        yield fresh.map(({ sessionId, title, updatedAt, cwd }) => ({
          id: sessionId,
          title: titleOf(title ?? ""),
          ...(everyFolder || folders.length > 1 ? { folder: paths.base(cwd) } : {}),
          ...(states.get(sessionId) ? { state: states.get(sessionId) } : {}),
          ...(updatedAt ? { updatedAt } : {}),
          current: sessionId === current,
          canRename: live.canRename,
          canDelete: live.canDelete,
        }));
        if (known.size >= mostListed) return;
      }
    }
  }

  /** What is known of a session that was listed. */
  find(id: string): { title?: string; cwd: string } | undefined {
    const info = this.#known.get(id);
    if (!info) return undefined;
    const title = titleOf(info.title ?? "");
    return { cwd: info.cwd, ...(title === newTitle ? {} : { title }) };
  }
}
