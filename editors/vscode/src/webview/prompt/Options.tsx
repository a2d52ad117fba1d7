/** The agent's options: its mode, its model, and others. */
import type { Option } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { Label } from "../frame/components.js";
import { visibleLine } from "../text/visible.js";
import { Picker } from "./Picker.js";

export function Options({ options, disabled }: { options: readonly Option[]; disabled: boolean }) {
  return (
    <>
      {options.map((option) =>
        typeof option.current === "boolean" ? (
          <Switch key={option.id} option={option} on={option.current} disabled={disabled} />
        ) : (
          <Choice key={option.id} option={option} disabled={disabled} />
        ),
      )}
    </>
  );
}

function Choice({ option, disabled }: { option: Option; disabled: boolean }) {
  const current = option.choices.find((choice) => choice.value === option.current);
  const name = current?.name ?? String(option.current);
  const entries = option.choices.map((choice) => ({
    id: choice.value,
    name: choice.name,
    detail: choice.description,
    group: choice.group,
    chosen: choice.value === option.current,
  }));
  return (
    <Picker
      label={`${visibleLine(option.name)}: ${visibleLine(name)}`}
      entries={entries}
      disabled={disabled || entries.length === 0}
      onPick={(value) => value !== option.current && post({ type: "setOption", optionId: option.id, value })}
    >
      <span class="picker-name"><Label text={name} /></span>
    </Picker>
  );
}

function Switch({ option, on, disabled }: { option: Option; on: boolean; disabled: boolean }) {
  return (
    <button
      type="button"
      class={`switch ${on ? "on" : ""}`}
      role="switch"
      aria-checked={on}
      title={visibleLine(option.description ?? option.name)}
      disabled={disabled}
      onClick={() => post({ type: "setOption", optionId: option.id, value: !on })}
    >
      <span class="knob" aria-hidden="true" />
      <Label text={option.name} />
    </button>
  );
}
