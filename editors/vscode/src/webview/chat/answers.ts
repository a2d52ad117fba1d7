/** Converts form fields to a question's answer. */
import type { Field } from "../../shared/model.js";

/** A field's value while it is edited: numbers are text until they are sent. */
export type Value = string | boolean | string[];

export type Answers = Record<string, string | number | boolean | string[]>;

// The agent chooses the names. Object.fromEntries makes them own properties, so
// they can't set a prototype.

export function initial(fields: Field[]): Record<string, Value> {
  return Object.fromEntries(fields.map(({ name, input }) => [name, initialValue(input)]));
}

function initialValue(input: Field["input"]): Value {
  switch (input.kind) {
    case "boolean":
      return input.default ?? false;
    case "choices":
      return input.default ?? [];
    case "number":
      return input.default === undefined ? "" : String(input.default);
    case "text":
      return input.format === "date-time" && !input.secret ? localTime(input.default) : (input.default ?? "");
    case "choice":
      return input.default ?? "";
  }
}

/**
 * Returns the values that may be stored until they are sent: everything but
 * secrets.
 */
export function keepable(fields: Field[], values: Record<string, Value>): Record<string, Value> {
  const secret = new Set(fields.filter(({ input }) => input.kind === "text" && input.secret).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
}

/** Returns the answer. Empty optional fields are left out. */
export function answersOf(fields: Field[], values: Record<string, Value>): Answers {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const answer = answerOf(field, values[field.name]);
      return answer === undefined ? [] : [[field.name, answer]];
    }),
  );
}

function answerOf({ input, required }: Field, value: Value | undefined): Answers[string] | undefined {
  if (input.kind === "boolean") return value === true;
  if (Array.isArray(value)) return required || value.length > 0 ? value : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  if (input.kind === "number") return Number(value);
  return input.kind === "text" && input.format === "date-time" && !input.secret ? new Date(value).toISOString() : value;
}

/**
 * Converts a time to the format of the browser's field: local, without a zone.
 */
function localTime(time: string | undefined): string {
  const date = new Date(time ?? "");
  if (Number.isNaN(date.getTime())) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
