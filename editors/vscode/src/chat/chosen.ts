/**
 * The user's choices for each agent, such as mode and model. They are applied again when
 * a session with that agent begins, in any window.
 *
 * Only the user's own choices are remembered. If the agent changes an option itself, the
 * choice is forgotten; the agent's value isn't stored.
 */
import type { Option, Session } from "../shared/model.js";
import type { AgentSession } from "./agentSession.js";
import { setOption } from "./choices.js";
import type { Facts } from "./sessionFacts.js";

/** By agent and option id. */
export type ChosenValues = [agent: string, values: [id: string, value: string | boolean][]][];

/** Stores the choices. The value read may be anything. */
export interface ChosenMemory {
  read(): unknown;
  write(values: ChosenValues): void;
}

const mostAgents = 100;
const mostValues = 50;

export class Chosen {
  readonly #agent: string;
  readonly #memory: ChosenMemory | undefined;
  /**
   * While requests with the user's choices are pending, changed options are not the
   * agent's doing.
   */
  #underWay = 0;

  constructor(agent: string, memory: ChosenMemory | undefined) {
    this.#agent = agent;
    this.#memory = memory;
  }

  /**
   * Applies the remembered choices when a session begins, except to a `shared` one. A
   * prompt sent after this call also reaches the agent after the choices.
   */
  async begins(live: AgentSession, facts: Facts, shared: boolean, refused: (why: string) => void): Promise<void> {
    this.#underWay++;
    facts.sessionBegins(live.state, live.capabilities.promptCapabilities, live.steers);
    if (shared) return; // others choose there too, so the options say nothing about this user
    const wanted = [...this.#values()].filter(([id, value]) => facts.options.shown.some((option) => option.id === id && option.current !== value));
    await Promise.all(wanted.map(([id, value]) => setOption(live, facts, id, value, refused)));
    this.#underWay--;
  }

  async choose(live: AgentSession, facts: Facts, id: string, value: string | boolean, refused: (why: string) => void): Promise<void> {
    this.#underWay++;
    const taken = await setOption(live, facts, id, value, refused);
    this.#underWay--;
    if (taken) this.#write(this.#values().set(id, value));
  }

  /** Forgets choices that no longer match the session's options. */
  changed({ options }: Session): void {
    if (this.#underWay > 0 || !this.#memory) return;
    const values = this.#values();
    const others = [...values].filter(([id, value]) => !options.some((option: Option) => option.id === id && option.current !== value));
    if (others.length < values.size) this.#write(new Map(others));
  }

  #values(): Map<string, string | boolean> {
    return new Map(read(this.#memory?.read()).find(([agent]) => agent === this.#agent)?.[1]);
  }

  #write(values: ReadonlyMap<string, string | boolean>): void {
    const others = read(this.#memory?.read()).filter(([agent]) => agent !== this.#agent);
    const own: ChosenValues[number] = [this.#agent, [...values].slice(-mostValues)];
    try {
      this.#memory?.write([...others, own].slice(-mostAgents));
    } catch {
      // If the memory can't be written, the choice holds for this session only.
    }
  }
}

/** The stored value may come from another version. */
function read(value: unknown): ChosenValues {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown): ChosenValues => {
    const [agent, values] = Array.isArray(entry) ? (entry as unknown[]) : [];
    return typeof agent === "string" && Array.isArray(values) ? [[agent, values.filter(isValue)]] : [];
  });
}

function isValue(value: unknown): value is [string, string | boolean] {
  return Array.isArray(value) && typeof value[0] === "string" && ["string", "boolean"].includes(typeof value[1]);
}
