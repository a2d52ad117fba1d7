/** From what stands in a form's fields to what the question's answer is. */
import type { Field } from "../../shared/model.js";

/** A field's value while it is being filled in: numbers are text until they are sent. */
export type Value = string | boolean | string[];

export function initial(fields: Field[]): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const { name, input } of fields) {
    switch (input.kind) {
      case "boolean":
        values[name] = input.default ?? false;
        break;
      case "choices":
        values[name] = input.default ?? [];
        break;
      case "number":
        values[name] = input.default === undefined ? "" : String(input.default);
        break;
      case "text":
        values[name] = input.format === "date-time" ? localTime(input.default) : (input.default ?? "");
        break;
      case "choice":
        values[name] = input.default ?? "";
    }
  }
  return values;
}

/** What is sent; a field that may be left empty and is, is left out. */
export function answersOf(fields: Field[], values: Record<string, Value>): Record<string, string | number | boolean | string[]> {
  const answers: Record<string, string | number | boolean | string[]> = {};
  for (const { name, input, required } of fields) {
    const value = values[name];
    if (input.kind === "boolean") answers[name] = value === true;
    else if (Array.isArray(value)) {
      if (required || value.length > 0) answers[name] = value;
    } else if (typeof value !== "string" || value === "") continue;
    else if (input.kind === "number") answers[name] = Number(value);
    else if (input.kind === "text" && input.format === "date-time") answers[name] = new Date(value).toISOString();
    else answers[name] = value;
  }
  return answers;
}

/** A time as the browser's own field wants it: local, without a zone. */
function localTime(time: string | undefined): string {
  const date = new Date(time ?? "");
  if (Number.isNaN(date.getTime())) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
