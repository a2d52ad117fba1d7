/**
 * What the person has chosen of each agent, such as its mode and its model. It is
 * chosen again when a session of that agent begins, also in another window.
 *
 * Only the person's own choices are remembered. One that the agent has changed by
 * itself is forgotten: what an agent chooses is not kept for it.
 */
import type { Option, Session } from "../shared/model.js";
import type { AgentSession } from "./agentSession.js";
import { setOption } from "./choices.js";
import type { Facts } from "./facts.js";

/** By agent, and by the id of the option. */
export type ChosenValues = [agent: string, values: [id: string, value: string | boolean][]][];

/** Where they are kept. What is read may be anything. */
export interface ChosenMemory {
  read(): unknown;
  write(values: ChosenValues): void;
}

const mostAgents = 100;
const mostValues = 50;

export class Chosen {
  readonly #agent: string;
  readonly #memory: ChosenMemory | undefined;
  /** What the options are is not the agent's doing while the person's choices are on their way. */
  #underWay = 0;

  constructor(agent: string, memory: ChosenMemory | undefined) {
    this.#agent = agent;
    this.#memory = memory;
  }

  /**
   * A session begins: chooses again what was chosen. Where `shared`, it is left as the
   * others have it. A prompt that is sent behind this comes to the agent behind it, too.
   */
  async begins(live: AgentSession, facts: Facts, shared: boolean, refused: (why: string) => void): Promise<void> {
    this.#underWay++;
    facts.sessionBegins(live.state, live.capabilities.promptCapabilities);
    if (shared) return; // what others choose there says nothing of this person
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

  /** Something of the session is different. */
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
      // It is not remembered, and holds for this session.
    }
  }
}

/** It may be from another version. */
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
