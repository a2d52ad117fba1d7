// Makes values of the official schema's definitions. Together, a definition's
// samples contain every member, every branch and every named value, and one
// sample only has the required members. Because they are derived from the
// schema, no member can be forgotten.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(import.meta.resolve("@agentclientprotocol/sdk")).replace(/dist\/.*/, "schema/v1/");
const deepest = 40;

export class Schema {
  // name is the schema's file name in the package.
  constructor(name) {
    this.defs = JSON.parse(readFileSync(folder + name, "utf8")).$defs;
    this.methods = new Map(); // method → {side, params, result}
    for (const [definition, def] of Object.entries(this.defs)) {
      if (!def["x-method"]) continue;
      const method = this.methods.get(def["x-method"]) ?? { side: def["x-side"] };
      method[definition.endsWith("Response") ? "result" : "params"] = definition;
      this.methods.set(def["x-method"], method);
    }
  }

  samples(definition) {
    return this.#of(this.defs[definition], definition, 0);
  }

  // requests lists the methods with a response that one side serves.
  requests(side) {
    return [...this.methods].filter(([, m]) => m.side === side && m.result && m.params);
  }

  // notifications lists one side's methods without a response.
  notifications(side) {
    return [...this.methods].filter(([, m]) => m.side === side && !m.result);
  }

  #of(schema, name, depth) {
    if (schema === true || depth > deepest) return [{ free: name }];
    if (schema.$ref) return this.#of(this.defs[schema.$ref.split("/").pop()], name, depth + 1);
    if ("const" in schema) return [schema.const];
    if (schema.enum) return schema.enum;
    const branches = schema.oneOf ?? schema.anyOf;
    const base = this.#base(schema, name, depth);
    if (!branches) return base;
    return branches.flatMap((branch) => {
      const own = this.#of(branch, name, depth + 1);
      return combined(base, own);
    });
  }

  // base is the schema without its branches.
  #base(schema, name, depth) {
    let all = this.#plain(schema, name, depth);
    for (const part of schema.allOf ?? []) all = combined(all, this.#of(part, name, depth + 1));
    return all;
  }

  #plain(schema, name, depth) {
    const types = [schema.type ?? (schema.properties ? "object" : undefined)].flat();
    if (types[0] === undefined && (schema.allOf || schema.oneOf || schema.anyOf)) return []; // the branches define it
    return types.flatMap((type) => {
      switch (type) {
        case "string":
          return [schema.format === "uri" ? "https://example.org/" + name : name];
        case "integer":
          return [Math.max(1, schema.minimum ?? 1)];
        case "number":
          return [1.25];
        case "boolean":
          return [true, false];
        case "null":
          return [null];
        case "array":
          return [this.#of(schema.items ?? true, name, depth + 1), []].filter((list) => list.length >= (schema.minItems ?? 0));
        case "object":
          return this.#objects(schema, name, depth);
      }
      return [{ free: name }];
    });
  }

  #objects(schema, name, depth) {
    const members = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, this.#of(value, key, depth + 1)]);
    const count = Math.max(1, ...members.map(([, values]) => values.length));
    const out = [];
    for (let i = 0; i < count; i++) {
      const one = Object.fromEntries(members.map(([key, values]) => [key, values[i % values.length]]));
      if (schema.additionalProperties && typeof schema.additionalProperties === "object") {
        one.someKey = this.#of(schema.additionalProperties, "someKey", depth + 1)[0];
      }
      out.push(one);
    }
    const required = schema.required ?? [];
    if (required.length < members.length) out.push(Object.fromEntries(members.filter(([k]) => required.includes(k)).map(([k, v]) => [k, v[0]])));
    return out;
  }
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

// combined merges two lists of objects, so that each is used at least once.
function combined(a, b) {
  if (a.length === 0 || b.length === 0) return a.length ? a : b;
  const out = [];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const left = a[i % a.length];
    const right = b[i % b.length];
    out.push(isObject(left) && isObject(right) ? { ...left, ...right } : right);
  }
  return out;
}
