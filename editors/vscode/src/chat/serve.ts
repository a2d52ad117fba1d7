/** Answers the agent's requests, and checks that they are for this session. */
import { RequestError } from "@agentclientprotocol/sdk";

import type { PendingRequests } from "./pendingRequests.js";
import type { Handlers } from "./connection.js";
import type { Editor } from "./editor.js";
import type { Machine } from "./machine.js";
import { readTimes } from "./times.js";
import type { TurnEdits } from "./turnEdits.js";
import type { SharedTurnEvent } from "./sharedTurns.js";
import type { Updates } from "./updates.js";

export interface Served {
  cwd: string;
  machine: Machine;
  editor: Editor;
  edits: TurnEdits;
  updates: Updates;
  requests: PendingRequests;
  terminals: ReturnType<Machine["terminals"]>;
  /** The ACP session's id, once it is known. */
  sessionId(): string | undefined;
  /** Whether a turn is running that the user hasn't cancelled. */
  asking(): boolean;
  /** Whether updates only repeat what the chat shows. */
  muted(): boolean;
  event(params: unknown): void;
  turns(news: SharedTurnEvent): void;
}

export function serve(chat: Served): Handlers {
  const { cwd, machine, editor, updates, requests: asks } = chat;
  const files = (): NonNullable<ReturnType<Machine["files"]>> => machine.files(editor) ?? refuse("files");
  const terminals = (): NonNullable<Served["terminals"]> => chat.terminals ?? refuse("terminals");
  const own = (sessionId: string): void => {
    const id = chat.sessionId();
    if (id !== undefined && sessionId !== id) {
      throw new RequestError(-32002, "Resource not found", { sessionId, details: `unknown session ${sessionId}` });
    }
  };
  return {
    update: ({ update, _meta: meta }) => {
      if (!chat.muted()) updates.apply(update, readTimes(meta));
    },
    event: chat.event,
    turns: chat.turns,
    decided: (decision) => asks.permissions.decidedElsewhere(decision),
    permission: async (request, signal) => {
      own(request.sessionId);
      if (chat.asking()) await chat.edits.seen(request);
      // Outside a turn, or after a cancel, don't ask the user.
      return chat.asking() ? asks.permission(request, signal) : { outcome: { outcome: "cancelled" } };
    },
    elicitation: async (request, signal) => {
      // A question may belong to a request, and then has no session.
      if ("sessionId" in request && typeof request.sessionId === "string") own(request.sessionId);
      return chat.asking() ? asks.question(request, signal) : { action: "cancel" };
    },
    readTextFile: async (request) => {
      own(request.sessionId);
      return files().read(request);
    },
    writeTextFile: async (request) => {
      own(request.sessionId);
      const here = files();
      await chat.edits.beforeWrite(request.path);
      await here.write(request);
      chat.edits.wrote(request.path, request.content);
      return {};
    },
    createTerminal: async (request, signal) => {
      own(request.sessionId);
      const place = request.cwd ?? cwd;
      if (!(await machine.paths.isInside(place, editor.folders()))) {
        throw RequestError.invalidParams({ details: `${place} is outside the workspace folders` });
      }
      return terminals().create(request, place, signal);
    },
    terminalOutput: async (request) => {
      own(request.sessionId);
      return terminals().output(request.terminalId);
    },
    waitForTerminalExit: async (request) => {
      own(request.sessionId);
      return terminals().waitForExit(request.terminalId);
    },
    killTerminal: async (request) => {
      own(request.sessionId);
      terminals().kill(request.terminalId);
      return {};
    },
    releaseTerminal: async (request) => {
      own(request.sessionId);
      terminals().release(request.terminalId);
      return {};
    },
  };
}

/** Refuses a request for a capability that wasn't advertised. */
function refuse(what: string): never {
  throw RequestError.methodNotFound(what);
}
