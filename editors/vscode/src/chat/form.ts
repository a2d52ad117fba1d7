/**
 * Forms: converts an elicitation's schema to fields, and the user's input to a
 * valid answer. The agent gets what the schema allows, or nothing.
 */
import type { ElicitationContentValue, ElicitationPropertySchema, ElicitationSchema } from "@agentclientprotocol/sdk";

import type { Field, FieldChoice } from "../shared/model.js";
import { isSecret } from "./secrets.js";

const maxFields = 50;
const maxChoices = 500;

export type Values = Record<string, ElicitationContentValue>;

/** Throws if the schema needs a value that no field can hold. */
export function fieldsOf({ properties = {}, required }: ElicitationSchema): Field[] {
  const names = Object.keys(properties);
  if (names.length > maxFields) throw new Error(`The form has ${names.length} fields; the limit is ${maxFields}.`);
  return Object.entries(properties).map(([name, schema]) => {
    const text = (value: unknown): string => (typeof value === "string" ? value : "");
    const description = text(schema.description);
    return {
      name,
      label: text(schema.title) || (names.length === 1 ? "Answer" : name),
      ...(description ? { description } : {}),
      required: required?.includes(name) ?? false,
      input: inputOf(name, schema),
    };
  });
}

type Input = Field["input"];
type Known<T extends string> = Extract<ElicitationPropertySchema, { type: T }>;

function inputOf(name: string, schema: ElicitationPropertySchema): Input {
  switch (schema.type) {
    case "string":
      return textOf(schema as Known<"string">);
    case "number":
    case "integer": {
      const { minimum, maximum, default: initial } = schema as Known<"number">;
      return { kind: "number", integer: schema.type === "integer", ...some({ minimum, maximum, default: initial }) };
    }
    case "boolean":
      return { kind: "boolean", ...some({ default: (schema as Known<"boolean">).default }) };
    case "array": {
      const { items, minItems, maxItems, default: initial } = schema as Known<"array">;
      const choices = "anyOf" in items ? titled(items.anyOf) : plain((items as { enum?: unknown }).enum);
      if (choices.length === 0) throw new Error(`The field ${name} has no choices.`);
      return { kind: "choices", choices, ...some({ minItems, maxItems, default: initial }) };
    }
    default:
      throw new Error(`The field ${name} has an unknown type: ${schema.type}.`);
  }
}

function textOf(schema: Known<"string">): Input {
  const choices = schema.oneOf ? titled(schema.oneOf) : plain(schema.enum);
  if (choices.length > 0) return { kind: "choice", choices, ...some({ default: schema.default }) };
  const { minLength, maxLength, pattern, format } = schema;
  // Don't show the default of a secret, because anybody could see the form.
  if (isSecret(schema)) return { kind: "text", multiline: false, secret: true, ...some({ format, minLength, maxLength, pattern }) };
  return {
    kind: "text",
    // Long texts need room. A short limit or a format means that the text isn't
    // long.
    multiline: !format && !pattern && (maxLength ?? Infinity) > 200,
    ...some({ format, minLength, maxLength, pattern, default: schema.default }),
  };
}

const plain = (values: unknown): FieldChoice[] =>
  (Array.isArray(values) ? values : []).slice(0, maxChoices).map((value) => ({ value: String(value), label: String(value) }));

const titled = (values: unknown): FieldChoice[] =>
  (Array.isArray(values) ? values : [])
    .slice(0, maxChoices)
    .map((option: { const?: unknown; title?: unknown }) => ({ value: String(option.const), label: String(option.title ?? option.const) }));

/** Drops unset values: `null` and missing mean the same in the protocol. */
function some<T extends Record<string, unknown>>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, v]) => v !== null && v !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** Returns the answer, or what is wrong with it, in a message for the user. */
export function check(fields: readonly Field[], given: Readonly<Record<string, unknown>>): { values: Values } | { fault: string } {
  const values: Values = {};
  for (const field of fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
    if (isEmpty(value)) {
      if (field.required) return { fault: `${field.label} is required.` };
      continue;
    }
    const fault = faultOf(field.input, value);
    if (fault) return { fault: `${field.label} ${fault}.` };
    values[field.name] = value as ElicitationContentValue;
  }
  return { values };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

function faultOf(input: Input, value: unknown): string | undefined {
  switch (input.kind) {
    case "text":
      return typeof value === "string" ? textFault(input, value) : "must be text";
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
      if (input.integer && !Number.isInteger(value)) return "must be a whole number";
      if (input.minimum !== undefined && value < input.minimum) return `must be at least ${input.minimum}`;
      if (input.maximum !== undefined && value > input.maximum) return `must be at most ${input.maximum}`;
      return undefined;
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be yes or no";
    case "choice":
      return input.choices.some((c) => c.value === value) ? undefined : "must be one of the choices";
    case "choices":
      if (!Array.isArray(value) || !value.every((v) => input.choices.some((c) => c.value === v))) return "must contain only the offered choices";
      if (new Set(value).size !== value.length) return "must not repeat a choice";
      if (input.minItems !== undefined && value.length < input.minItems) return `needs at least ${input.minItems} choices`;
      if (input.maxItems !== undefined && value.length > input.maxItems) return `takes at most ${input.maxItems} choices`;
      return undefined;
  }
}

function textFault(input: Extract<Input, { kind: "text" }>, value: string): string | undefined {
  const length = [...value].length;
  if (input.minLength !== undefined && length < input.minLength) return `needs at least ${input.minLength} characters`;
  if (input.maxLength !== undefined && length > input.maxLength) return `takes at most ${input.maxLength} characters`;
  switch (input.format) {
    case "email":
      return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : "must be an e-mail address";
    case "uri":
      return URL.canParse(value) ? undefined : "must be a URL";
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? undefined : "must be a date like 2026-01-31";
    case "date-time":
      return /^\d{4}-\d\d-\d\d[Tt]/.test(value) && !Number.isNaN(Date.parse(value))
        ? undefined
        : "must be a date and time like 2026-01-31T12:00:00Z";
    case undefined:
      // The agent checks patterns. Here, a malicious one could block the editor
      // forever.
      return undefined;
  }
}
