/**
 * One session of one agent: its process, its connection, and the protocol's session.
 *
 * A session that was known before goes on where the agent can do that. What the
 * agent says before its session has a name here is kept until it has one.
 */
import * as acp from "@agentclientprotocol/sdk";

import { Connection, type ConnectionOptions } from "./connection.js";
import { isLoginWanted, loggedIn, type LogIn } from "./loginWanted.js";

const sessionTimeout = 60_000;
const mostEarly = 10_000;
const { agent: methods } = acp.methods;

/** What became of the session that was to go on. */
export type Memory = "new" | "kept" | "forgotten";

export interface SessionOptions extends ConnectionOptions {
  /** More folders that the agent may work in. */
  folders: readonly string[];
  /** The session to go on with. */
  previous?: string;
  /** What the agent plays back of it is wanted. */
  replay: boolean;
  /** Told around what is played back. */
  replaying(value: boolean): void;
  logIn: LogIn;
}

export interface SessionState {
  configOptions?: acp.SessionConfigOption[] | null;
  modes?: acp.SessionModeState | null;
}

export class AgentSession {
  readonly connection: Connection;
  readonly id: string;
  readonly state: SessionState;
  readonly memory: Memory;

  private constructor(connection: Connection, id: string, state: SessionState, memory: Memory) {
    this.connection = connection;
    this.id = id;
    this.state = state;
    this.memory = memory;
  }

  static async open(options: SessionOptions): Promise<AgentSession> {
    const gate = new Gate(options.handlers.update);
    const handlers = { ...options.handlers, update: (n: acp.SessionNotification) => gate.pass(n) };
    const connection = await Connection.open({ ...options, handlers });
    try {
      const { id, state, memory } = await loggedIn(connection, options.logIn, () => begin(connection, options, gate));
      gate.open(id);
      return new AgentSession(connection, id, state, memory);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  get capabilities(): acp.AgentCapabilities {
    return this.connection.initialized.agentCapabilities ?? {};
  }

  get canLogOut(): boolean {
    return Boolean(this.capabilities.auth?.logout);
  }

  async logOut(): Promise<void> {
    await this.connection.agent.request(methods.logout, {});
  }

  prompt(prompt: acp.ContentBlock[]): Promise<acp.PromptResponse> {
    return this.connection.agent.request(methods.session.prompt, { sessionId: this.id, prompt });
  }

  cancel(): void {
    // When it cannot be sent the connection has ended, and the prompt with it.
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

  /** The agent's sessions in this folder, a page after the other. */
  async list(cwd: string, most: number): Promise<acp.SessionInfo[]> {
    const all: acp.SessionInfo[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.connection.agent.request(methods.session.list, { cwd, ...(cursor ? { cursor } : {}) });
      all.push(...page.sessions);
      // A cursor that stands still would turn for ever.
      cursor = page.nextCursor && page.nextCursor !== cursor && page.sessions.length > 0 ? page.nextCursor : undefined;
    } while (cursor && all.length < most);
    return all.slice(0, most);
  }

  async delete(sessionId: string): Promise<void> {
    await this.connection.agent.request(methods.session.delete, { sessionId });
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** Updates of this session pass; before it is known, all wait. */
class Gate {
  readonly #pass: (n: acp.SessionNotification) => void;
  #early: acp.SessionNotification[] = [];
  #id: string | undefined;

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
  memory: Memory;
}

async function begin(connection: Connection, options: SessionOptions, gate: Gate): Promise<Begun> {
  const { cwd, folders, previous } = options;
  const { agentCapabilities: can = {} } = connection.initialized;
  const place: acp.NewSessionRequest = {
    cwd,
    mcpServers: [],
    ...(can.sessionCapabilities?.additionalDirectories && folders.length > 0 ? { additionalDirectories: [...folders] } : {}),
  };
  if (previous !== undefined) {
    const state = await goOn(connection, options, gate, { sessionId: previous, ...place });
    if (state) return { id: previous, state, memory: "kept" };
  }
  const { sessionId, ...state } = await inTime(connection.agent.request(methods.session.new, place));
  return { id: sessionId, state, memory: previous === undefined ? "new" : "forgotten" };
}

/** Goes on with an old session, in the way that fits best; nothing where the agent cannot. */
async function goOn(
  connection: Connection,
  { replay, replaying }: SessionOptions,
  gate: Gate,
  request: acp.LoadSessionRequest,
): Promise<SessionState | undefined> {
  const { loadSession, sessionCapabilities } = connection.initialized.agentCapabilities ?? {};
  try {
    if (sessionCapabilities?.resume && (!replay || !loadSession)) {
      return (await inTime(connection.agent.request(methods.session.resume, request))) ?? {};
    }
    if (!loadSession) return undefined;
    replaying(true);
    gate.open(request.sessionId);
    return (await inTime(connection.agent.request(methods.session.load, request))) ?? {};
  } catch (error) {
    gate.shut();
    // An agent that does not know the session any more begins a new one.
    if (error instanceof acp.RequestError && !isLoginWanted(error)) return undefined;
    throw error;
  } finally {
    replaying(false);
  }
}

/** A session that never begins is a failure, and its timer ends with it. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = sessionTimeout / 1000;
    timer = setTimeout(() => reject(new Error(`The agent did not begin a session within ${seconds} seconds.`)), sessionTimeout);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
