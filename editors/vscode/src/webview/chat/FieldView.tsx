/** One field of a question's form. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Field, FieldChoice } from "../../shared/model.js";
import { Label } from "../frame/components.js";
import { visible, visibleLine } from "../text/visible.js";
import type { Value } from "./answers.js";

interface Props {
  id: string;
  field: Field;
  value: Value;
  disabled: boolean;
  onChange: (value: Value) => void;
}

/**
 * More choices than this can't be taken in at a glance, so they go into a
 * drop-down list.
 */
const mostRadios = 6;

export function FieldView(props: Props) {
  const { field, id } = props;
  const { input } = field;
  const hint = hintFor(field);
  const many = input.kind === "choices" || (input.kind === "choice" && input.choices.length <= mostRadios);
  const description = (field.description || hint) && (
    <p class="hint" id={`${id} hint`} dir="auto">
      {field.description && visible(field.description)} {hint}
    </p>
  );
  if (input.kind === "boolean") {
    return (
      <div class="field">
        <label class="check">
          <input type="checkbox" checked={props.value === true} disabled={props.disabled} onChange={(event) => props.onChange(event.currentTarget.checked)} />
          <Label text={field.label} />
        </label>
        {description}
      </div>
    );
  }
  if (many) {
    return (
      <fieldset class="field" disabled={props.disabled}>
        <legend>{<Name field={field} />}</legend>
        {description}
        {input.kind === "choices" ? <Checks {...props} input={input} /> : <Radios {...props} choices={input.choices} />}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}><Name field={field} /></label>
      {input.kind === "choice" ? <Select {...props} choices={input.choices} /> : <Entry {...props} input={input} hint={description ? `${id} hint` : undefined} />}
      {description}
    </div>
  );
}

function Name({ field }: { field: Field }) {
  return (
    <>
      <Label text={field.label} />
      {!field.required && <span class="optional"> optional</span>}
    </>
  );
}

function hintFor({ input }: Field): string {
  switch (input.kind) {
    case "text":
      return input.pattern === undefined ? "" : `Pattern: ${visibleLine(input.pattern)}`;
    case "number":
      if (input.minimum !== undefined && input.maximum !== undefined) return `From ${input.minimum} to ${input.maximum}.`;
      if (input.minimum !== undefined) return `At least ${input.minimum}.`;
      return input.maximum === undefined ? "" : `At most ${input.maximum}.`;
    case "choices":
      if (input.minItems && input.maxItems) return `Choose ${input.minItems} to ${input.maxItems}.`;
      if (input.minItems) return `Choose at least ${input.minItems}.`;
      return input.maxItems === undefined ? "" : `Choose at most ${input.maxItems}.`;
    default:
      return "";
  }
}

type EntryInput = Extract<Field["input"], { kind: "text" | "number" }>;

function Entry({ id, field, value, disabled, onChange, input, hint }: Props & { input: EntryInput; hint: string | undefined }) {
  const common = { id, disabled, required: field.required, value: String(value), "aria-describedby": hint };
  if (input.kind === "number") {
    return (
      <input
        {...common}
        type="number"
        step={input.integer ? 1 : "any"}
        min={input.minimum}
        max={input.maximum}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const lengths = { minLength: input.minLength, maxLength: input.maxLength };
  if (input.multiline) {
    return <textarea {...common} {...lengths} rows={4} dir="auto" onInput={(event) => onChange(event.currentTarget.value)} />;
  }
  const text = { ...common, ...lengths, dir: "auto" as const, onInput: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value) };
  if (input.secret) return <input {...text} type="password" autocomplete="new-password" spellcheck={false} />;
  switch (input.format) {
    case "email":
      return <input {...text} type="email" />;
    case "uri":
      return <input {...text} type="url" />;
    case "date":
      return <input {...text} type="date" />;
    case "date-time":
      return <input {...text} type="datetime-local" />;
    default:
      return <input {...text} type="text" />;
  }
}

function Select({ id, field, value, disabled, onChange, choices }: Props & { choices: FieldChoice[] }) {
  return (
    <select id={id} disabled={disabled} required={field.required} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{field.required ? "Choose…" : "None"}</option>
      {choices.map((choice) => <option key={choice.value} value={choice.value}>{visibleLine(choice.label)}</option>)}
    </select>
  );
}

function Radios({ id, field, value, onChange, choices }: Props & { choices: FieldChoice[] }) {
  return (
    <>
      {choices.map((choice) => (
        <label class="check" key={choice.value}>
          <input type="radio" name={id} required={field.required} checked={value === choice.value} onChange={() => onChange(choice.value)} />
          <Label text={choice.label} />
        </label>
      ))}
    </>
  );
}

function Checks({ field, value, onChange, input }: Props & { input: Extract<Field["input"], { kind: "choices" }> }) {
  const first = useRef<HTMLInputElement>(null);
  const chosen = Array.isArray(value) ? value : [];
  const least = input.minItems ?? (field.required ? 1 : 0);
  const tooFew = chosen.length < least && (field.required || chosen.length > 0);
  const tooMany = input.maxItems !== undefined && chosen.length > input.maxItems;
  useLayoutEffect(() => {
    const complaint = tooFew ? `Choose at least ${least}.` : tooMany ? `Choose at most ${input.maxItems}.` : "";
    first.current?.setCustomValidity(complaint);
  });
  const toggle = (choice: string) => onChange(chosen.includes(choice) ? chosen.filter((other) => other !== choice) : [...chosen, choice]);
  return (
    <>
      {input.choices.map((choice, index) => (
        <label class="check" key={choice.value}>
          <input type="checkbox" ref={index === 0 ? first : null} checked={chosen.includes(choice.value)} onChange={() => toggle(choice.value)} />
          <Label text={choice.label} />
        </label>
      ))}
    </>
  );
}
