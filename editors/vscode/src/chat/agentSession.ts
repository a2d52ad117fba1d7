/**
 * One agent's session: its process, its connection and the ACP session.
 *
 * Continues an earlier session if the agent supports that. Updates that arrive
 * before the session id is known are queued until then.
 */
import * as acp from "@agentclientprotocol/sdk";

import { Connection, type ConnectionOptions } from "./connection.js";
import { errorText } from "./rpcError.js";
import { FixableError } from "./fixes.js";
import { isHeld, whenFree, type HeldWait } from "./heldSession.js";
import type { Continuation } from "./continuation.js";
import { messageIdMeta } from "./cursors.js";
import { Places, steeringMethod, steersIn, type Outcome } from "./steeringReader.js";
import { isLoginWanted, loggedIn, type LogIn } from "./loginWanted.js";

const sessionTimeout = 60_000;
const mostEarly = 10_000;
const { agent: methods } = acp.methods;
/** Not part of the protocol yet, so no library has it. */
const setTitle = "session/set_title";
const fork = "session/fork";

export interface SessionOptions extends ConnectionOptions {
  /** Additional folders the agent may work in. */
  folders: readonly string[];
  /** The session to continue, and how to wait for it while another process has it open. */
  previous?: HeldWait & { id: string };
  /** Whether to show the messages that the agent replays. */
  replay: boolean;
  /**
   * Called around a replay. If the session could not be opened ("fails"), the
   * updates since "begins" are void.
   */
  replaying(step: "begins" | "ends" | "fails"): void;
  /** Called after initialize, before the session is opened. */
  greeted(agent: { shared: boolean; name?: string }): void;
  logIn: LogIn;
}

export interface SessionState {
  configOptions?: acp.SessionConfigOption[] | null;
  modes?: acp.SessionModeState | null;
  _meta?: Record<string, unknown> | null;
}

export class AgentSession {
  readonly connection: Connection;
  readonly id: string;
  readonly state: SessionState;
  readonly continuation: Continuation;
  readonly #places: Places;

  private constructor(connection: Connection, places: Places, { id, state, continuation: fate }: Begun) {
    this.connection = connection;
    this.#places = places;
    this.id = id;
    this.state = state;
    this.continuation = fate;
  }

  static async open(options: SessionOptions): Promise<AgentSession> {
    const gate = new Gate(options.handlers.update);
    const places = new Places();
    const handlers = { ...options.handlers, update: (n: acp.SessionNotification) => void (places.reached(n) || gate.pass(n)) };
    const connection = await Connection.open({ ...options, handlers });
    try {
      const name = connection.initialized.agentInfo?.title;
      options.greeted({ shared: isShared(connection.initialized.agentCapabilities), ...(name ? { name } : {}) });
      const begun = await loggedIn(connection, options.logIn, () => begin(connection, options, gate));
      gate.open(begun.id);
      return new AgentSession(connection, places, begun);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  get capabilities(): acp.AgentCapabilities {
    return this.connection.initialized.agentCapabilities ?? {};
  }

  /** Whether its sessions can be listed and reopened. */
  get keepsSessions(): boolean {
    const { loadSession, sessionCapabilities: can } = this.capabilities;
    return Boolean(can?.list && (loadSession || can.resume));
  }

  /**
   * Whether other clients may share the session, so that it continues without this
   * one.
   */
  get shared(): boolean {
    return isShared(this.capabilities);
  }

  get canDelete(): boolean {
    return Boolean(this.capabilities.sessionCapabilities?.delete);
  }

  get canRename(): boolean {
    return this.connection.takesTitles || Boolean(this.capabilities._meta?.["turnwire.dev/title"]);
  }

  get canLogOut(): boolean {
    return Boolean(this.capabilities.auth?.logout);
  }

  async logOut(): Promise<void> {
    await this.connection.agent.request(methods.logout, {});
  }

  /** `messageId` is how the agent's cursors name the message. */
  prompt(prompt: acp.ContentBlock[], messageId: string): Promise<acp.PromptResponse> {
    return this.connection.agent.request(methods.session.prompt, { sessionId: this.id, prompt, _meta: { [messageIdMeta]: messageId } });
  }

  /** Makes a copy of the session that ends at a cursor; returns the copy's id. */
  async fork(cursorId: string, cwd: string): Promise<string> {
    const { sessionId } = await this.connection.agent.request<{ sessionId: string }>(fork, { sessionId: this.id, cursorId, cwd, mcpServers: [] });
    if (typeof sessionId !== "string") throw new Error("The agent sent an invalid response.");
    // The chat with the copy has its own connection, and loads it.
    await this.connection.agent.request(methods.session.close, { sessionId }).catch(() => {});
    return sessionId;
  }

  /** Whether it reads messages during a turn. */
  get steers(): boolean {
    return steersIn(this.state) ?? steersIn(this.connection.initialized) ?? false;
  }

  /** Sends a message during the turn. Calls `read` at the place in the stream at which the agent read it. */
  async steer(prompt: acp.ContentBlock[], read: () => void): Promise<Outcome> {
    this.#places.add(read);
    const _meta = { steering: { idleBehavior: "promptRequired" } };
    const { outcome } = await this.connection.agent.request<{ outcome: Outcome }>(steeringMethod, { sessionId: this.id, prompt, _meta });
    return outcome;
  }

  cancel(): void {
    // If the cancel can't be sent, the connection has ended, and the prompt with it.
    this.connection.agent.notify(methods.session.cancel, { sessionId: this.id }).catch(() => {});
  }

  async setMode(modeId: string): Promise<void> {
    await this.connection.agent.request(methods.session.setMode, { sessionId: this.id, modeId });
  }

  async setConfig(configId: string, value: string | boolean): Promise<acp.SessionConfigOption[]> {
    const request = { sessionId: this.id, configId };
    const { configOptions } = await this.connection.agent.request(
      methods.session.setConfigOption,
      typeof value === "boolean" ? { ...request, type: "boolean", value } : { ...request, value },
    );
    return configOptions;
  }

  /** Lists the agent's sessions in this folder, page by page. */
  async *list(cwd: string | undefined): AsyncGenerator<acp.SessionInfo[]> {
    let cursor: string | undefined;
    do {
      const page = await this.connection.agent.request(methods.session.list, { ...(cwd === undefined ? {} : { cwd }), ...(cursor ? { cursor } : {}) });
      yield page.sessions;
      // Stop if the cursor repeats; the loop would never end.
      cursor = page.nextCursor && page.nextCursor !== cursor && page.sessions.length > 0 ? page.nextCursor : undefined;
    } while (cursor);
  }

  /**
   * Returns the session's title from the list, if it is among the most recently used
   * sessions.
   */
  async title(cwd: string): Promise<string | undefined> {
    if (!this.keepsSessions) return undefined;
    const { value } = await this.list(cwd).next().catch(() => ({ value: undefined }));
    return value?.find(({ sessionId }: acp.SessionInfo) => sessionId === this.id)?.title ?? undefined;
  }

  async rename(sessionId: string, title: string): Promise<void> {
    await this.connection.agent.request(setTitle, { sessionId, title });
  }

  async delete(sessionId: string): Promise<void> {
    await this.connection.agent.request(methods.session.delete, { sessionId });
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** A server advertises this as the proposed attach capability. */
const isShared = (can: acp.AgentCapabilities | undefined): boolean =>
  Boolean((can?.sessionCapabilities as { attach?: unknown } | null | undefined)?.attach);

/** Passes on this session's updates; queues all updates until its id is known. */
class Gate {
  readonly #pass: (n: acp.SessionNotification) => void;
  #early: acp.SessionNotification[] = [];
  #id: string | undefined;
  /** The number of updates received. */
  passed = 0;

  constructor(pass: (n: acp.SessionNotification) => void) {
    this.#pass = pass;
  }

  open(id: string): void {
    this.#id = id;
    for (const n of this.#early) this.pass(n);
    this.#early = [];
  }

  shut(): void {
    this.#id = undefined;
  }

  pass(n: acp.SessionNotification): void {
    this.passed++;
    if (this.#id === undefined) {
      if (this.#early.length < mostEarly) this.#early.push(n);
    } else if (n.sessionId === this.#id) {
      this.#pass(n);
    }
  }
}

interface Begun {
  id: string;
  state: SessionState;
  continuation: Continuation;
}

async function begin(connection: Connection, options: SessionOptions, gate: Gate): Promise<Begun> {
  const { cwd, folders, previous } = options;
  const { agentCapabilities: can = {} } = connection.initialized;
  const place: acp.NewSessionRequest = {
    cwd,
    mcpServers: [],
    ...(can.sessionCapabilities?.additionalDirectories && folders.length > 0 ? { additionalDirectories: [...folders] } : {}),
  };
  let continuation: Continuation = { how: "new" };
  if (previous !== undefined) {
    const request = { sessionId: previous.id, ...place };
    const gone = await whenFree(() => goOn(connection, options, gate, request), previous, connection.signal).catch((error: unknown) => {
      throw isHeld(error) ? new FixableError(errorText(error), "again") : error;
    });
    if (gone.state) return { id: previous.id, state: gone.state, continuation: gone.fate };
    continuation = gone.fate;
  }
  const { sessionId, ...state } = await inTime(connection.agent.request(methods.session.new, place));
  return { id: sessionId, state, continuation: continuation };
}

/**
 * Continues an earlier session with the best method the agent supports. Without a
 * state in the result, a new session is needed.
 */
async function goOn(
  connection: Connection,
  { replay, replaying }: SessionOptions,
  gate: Gate,
  request: acp.LoadSessionRequest,
): Promise<{ state?: SessionState; fate: Continuation }> {
  const { loadSession, sessionCapabilities } = connection.initialized.agentCapabilities ?? {};
  let plays = false;
  try {
    if (sessionCapabilities?.resume && (!replay || !loadSession)) {
      const state = (await inTime(connection.agent.request(methods.session.resume, request))) ?? {};
      return { state, fate: { how: "resumed" } };
    }
    if (!loadSession) return { fate: { how: "forgotten" } };
    plays = true;
    replaying("begins");
    gate.open(request.sessionId);
    const state = (await inTime(connection.agent.request(methods.session.load, request), () => gate.passed)) ?? {};
    replaying("ends");
    return { state, fate: { how: "loaded" } };
  } catch (error) {
    gate.shut();
    if (plays) replaying("fails");
    // A session that is open elsewhere still exists: report that instead of starting
    // a new one.
    const gone = error instanceof acp.RequestError && !isHeld(error) && !isLoginWanted(error);
    if (!gone) throw error;
    return { fate: { how: "forgotten", why: errorText(error) } };
  }
}

/**
 * Rejects if a session doesn't begin in time. Each update extends the time, because
 * replaying a long session takes longer.
 */
async function inTime<T>(answer: Promise<T>, progress: () => number = () => 0): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = sessionTimeout / 1000;
    const wait = (seen: number): void => {
      timer = setTimeout(() => {
        if (progress() > seen) wait(progress());
        else reject(new Error(`The agent did not start a session within ${seconds} seconds.`));
      }, sessionTimeout);
    };
    wait(progress());
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
