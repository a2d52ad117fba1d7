/**
 * An agent's options: its config options or, for older agents without them, its
 * modes.
 */
import type { SessionConfigOption, SessionConfigSelectGroup, SessionConfigSelectOption, SessionModeState } from "@agentclientprotocol/sdk";

import type { Option, OptionChoice } from "../shared/model.js";

const maxOptions = 50;
const maxChoices = 1_000;
const modeId = "mode";

export class Options {
  #config: readonly SessionConfigOption[] | undefined;
  #modes: SessionModeState | undefined;

  /** Applies the options of a new session. */
  begin(state: { configOptions?: SessionConfigOption[] | null; modes?: SessionModeState | null }): void {
    if (state.configOptions) this.#config = state.configOptions;
    if (state.modes) this.#modes = state.modes;
  }

  setConfig(options: readonly SessionConfigOption[]): void {
    this.#config = options;
  }

  setMode(id: string): void {
    if (this.#modes) this.#modes = { ...this.#modes, currentModeId: id };
  }

  get shown(): Option[] {
    if (this.#config && this.#config.length > 0) {
      const shown = this.#config.slice(0, maxOptions).map((option) => ({ type: option.type, option: showOption(option) }));
      // An option without choices would look like an on/off one.
      return shown.filter(({ type, option }) => type === "boolean" || option.choices.length > 0).map(({ option }) => option);
    }
    const modes = this.#modes;
    if (!modes || modes.availableModes.length === 0) return [];
    return [
      {
        id: modeId,
        name: "Mode",
        category: "mode",
        current: modes.currentModeId,
        choices: modes.availableModes.slice(0, maxChoices).map(({ id, name, description }) => ({
          value: id,
          name,
          ...(description ? { description } : {}),
        })),
      },
    ];
  }

  /**
   * Returns the request that sets an option; undefined if the value isn't
   * offered.
   */
  request(optionId: string, value: string | boolean): { mode: string } | { configId: string; value: string | boolean } | undefined {
    const option = this.shown.find((o) => o.id === optionId);
    if (!option) return undefined;
    const offered = option.choices.length === 0 ? typeof value === "boolean" : option.choices.some((c) => c.value === value);
    if (!offered) return undefined;
    return this.#config && this.#config.length > 0 ? { configId: optionId, value } : { mode: String(value) };
  }
}

function showOption(option: SessionConfigOption): Option {
  return {
    id: option.id,
    name: option.name,
    ...(option.description ? { description: option.description } : {}),
    ...(option.category ? { category: option.category } : {}),
    current: option.currentValue,
    choices: option.type === "select" ? flatten(option.options).slice(0, maxChoices) : [],
  };
}

function flatten(options: readonly (SessionConfigSelectOption | SessionConfigSelectGroup)[]): OptionChoice[] {
  return options.flatMap((option) => {
    if (!("group" in option)) return [showChoice(option)];
    return option.options.map((choice) => ({ ...showChoice(choice), group: option.name }));
  });
}

const showChoice = ({ value, name, description }: SessionConfigSelectOption): OptionChoice => ({
  value,
  name,
  ...(description ? { description } : {}),
});
