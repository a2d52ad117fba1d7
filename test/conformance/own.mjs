// Turnwire's own schemas, which must agree with its behaviour.

import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";

export const schemas = Object.fromEntries(
  ["agent-event", "agent-command", "acp-v1"].map((name) => [
    name,
    JSON.parse(readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), "utf8")),
  ]),
);

const validators = Object.fromEntries(Object.entries(schemas).map(([name, s]) => [name, new Ajv2020().compile(s)]));

// faults lists what is wrong with value according to the schema called name.
export function faults(name, value) {
  const validate = validators[name];
  return validate(value) ? [] : validate.errors.map((e) => `${name}${e.instancePath} ${e.message}`);
}
