// The agent's main loop.

import type * as e from "./events.js";
import { message, Turn } from "./turn.js";
import { Cancelled, Wire } from "./wire.js";

export interface AgentOptions extends Pick<e.AgentInfoEvent, "version" | "commands" | "prompt" | "mcp" | "history" | "resume" | "tools" | "steer" | "options"> {
  name: string;
  modes?: e.Choice[];
  models?: e.Choice[];
}

/** An agent. Set a handler with onPrompt, and run it. */
export class Agent {
  mode?: string;
  model?: string;
  options: Map<string, e.ConfigOption>;
  /** The value stored by Turn.save, even by an earlier process; needs resume. */
  state: unknown;
  /** The session command: the editor, the folders, the MCP servers. */
  session?: e.SessionCommand;
  #opened!: () => void;
  /** Resolves with the session, or at EOF. */
  readonly opened = new Promise<void>((resolve) => (this.#opened = resolve));
  #about: AgentOptions;
  #wire!: Wire;
  #handler?: (turn: Turn) => void | Promise<void>;
  #onOption: (id: string, value: string | boolean) => void | Promise<void> = () => {};
  #running = new Map<string, AbortController>();
  #turns: Promise<void> = Promise.resolve();
  #settings: Promise<void> = Promise.resolve();

  constructor(about: AgentOptions) {
    this.#about = about;
    this.mode = about.modes?.[0]?.id;
    this.model = about.models?.[0]?.id;
    this.options = new Map(about.options?.map((option) => [option.id, option]));
  }

  /** Sets the handler that answers prompts. */
  onPrompt(handler: (turn: Turn) => void | Promise<void>): this {
    this.#handler = handler;
    return this;
  }

  /**
   * Sets the function that is called with an option's new value. Throwing
   * refuses the value.
   */
  onOption(handler: (id: string, value: string | boolean) => void | Promise<void>): this {
    this.#onOption = handler;
    return this;
  }

  /** Serves the session until EOF on stdin. */
  async run(): Promise<void> {
    if (!this.#handler) throw new Error("The agent has no handler: give it one with onPrompt.");
    this.#wire = new Wire();
    this.#wire.write({ type: "agent_info", ...this.#about, ...this.#offered() });
    await this.#wire.read((command) => this.#command(command));
    this.#opened();
    for (const turn of this.#running.values()) turn.abort(new Cancelled());
    this.#wire.withdraw();
    await this.#turns;
  }

  #command(command: e.AgentCommand): void {
    switch (command.type) {
      case "session":
        this.session = command;
        this.state = command.state;
        this.#opened();
        break;
      case "prompt": {
        const abort = new AbortController();
        this.#running.set(command.turnId, abort);
        this.#turns = this.#turns.then(() => this.#turn(command, abort));
        break;
      }
      case "steer":
        this.#wire.steers.push(command);
        break;
      case "cancel":
        if (!this.#running.has(command.turnId)) break;
        this.#running.get(command.turnId)!.abort(new Cancelled());
        this.#wire.withdraw();
        break;
      case "set_option":
        this.#settings = this.#settings.then(() => this.#set(command.optionId, command.value));
    }
  }

  async #turn(command: e.PromptCommand, abort: AbortController): Promise<void> {
    const turn = new Turn(this, this.#wire, command, abort.signal);
    let end: object = { type: "done", text: "", stopReason: "cancelled" };
    try {
      if (!abort.signal.aborted) await this.#handler!(turn);
      if (!abort.signal.aborted) end = { type: "done", text: "", stopReason: turn.stopReason };
    } catch (error) {
      if (!abort.signal.aborted) {
        console.error(error);
        end = { type: "error", error: message(error) };
      }
    }
    this.#running.delete(command.turnId);
    this.#wire.withdraw();
    turn.finish(end);
  }

  async #set(id: string, value: string | boolean): Promise<void> {
    const option = this.options.get(id);
    try {
      if (!option && !(id === "mode" && this.#about.modes) && !(id === "model" && this.#about.models)) throw new Error(`There is no option ${id}.`);
      await this.#onOption(id, value);
    } catch (error) {
      this.#wire.write({ type: "option_refused", optionId: id, error: error instanceof Error ? error.message : String(error) });
      return;
    }
    if (option) option.value = value;
    else if (id === "mode") this.mode = String(value);
    else this.model = String(value);
    const { modes, models, options } = this.#offered();
    if (option) this.#wire.write({ type: "config_options", options });
    else this.#wire.write(id === "mode" ? { type: "mode_changed", ...modes } : { type: "model_changed", ...models });
  }

  #offered() {
    const { modes, models } = this.#about;
    return {
      modes: modes && { modeId: this.mode, available: modes },
      models: models && { modelId: this.model, available: models },
      options: this.options.size > 0 ? [...this.options.values()] : undefined,
    };
  }
}
