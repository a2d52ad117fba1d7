// Validates Turnwire's output against the official schema of ACP v1.
//
// The schema's unions for whole messages accept any result of an unknown method.
// So each message is checked twice: as a message of its side, and its params or
// result as those of its method.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

// Includes the unstable parts: they are sent only to clients that asked for them,
// which a law checks.
const path = fileURLToPath(import.meta.resolve("@agentclientprotocol/sdk")).replace(/dist\/.*/, "schema/v1/schema.unstable.json");
const official = JSON.parse(readFileSync(path, "utf8"));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
for (const [name, bits] of [["uint16", 16], ["uint32", 32], ["uint64", 64]]) {
  ajv.addFormat(name, { type: "number", validate: (n) => Number.isInteger(n) && n >= 0 && n < 2 ** bits });
}
ajv.addFormat("int32", { type: "number", validate: (n) => Number.isInteger(n) && Math.abs(n) <= 2 ** 31 });
ajv.addFormat("int64", { type: "number", validate: (n) => Number.isInteger(n) });
ajv.addFormat("double", { type: "number", validate: Number.isFinite });
ajv.addSchema(official, "acp");

// paramsOf and resultOf map a method to the names of its definitions.
const paramsOf = new Map();
const resultOf = new Map();
for (const [name, def] of Object.entries(official.$defs)) {
  if (!def["x-method"]) continue;
  (name.endsWith("Response") ? resultOf : paramsOf).set(def["x-method"], name);
}

// faults lists what is wrong with value according to the definition called name.
export function faults(name, value) {
  const validate = ajv.getSchema(`acp#/$defs/${name}`);
  if (!validate) throw new Error(`the official schema has no ${name}`);
  if (validate(value)) return [];
  return validate.errors.map((e) => `${name}${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
}

// messageFaults lists what is wrong with a message that Turnwire wrote. If it is
// a response, answered is the request's method.
export function messageFaults(message, answered) {
  if (message === null || typeof message !== "object" || Array.isArray(message)) return ["is not an object"];
  const found = [];
  const allow = (...names) => {
    for (const name of Object.keys(message)) {
      if (!names.includes(name)) found.push(`has a member ${name}`);
    }
  };
  if (message.jsonrpc !== "2.0") found.push("has no jsonrpc 2.0");
  if ("method" in message) {
    const isRequest = "id" in message;
    allow("jsonrpc", "id", "method", "params");
    found.push(...faults(isRequest ? "AgentRequest" : "AgentNotification", message));
    const params = paramsOf.get(message.method);
    if (params) found.push(...faults(params, message.params));
    else if (!message.method.startsWith("_")) found.push(`calls the unknown method ${message.method}`);
    return found;
  }
  allow("jsonrpc", "id", "result", "error");
  found.push(...faults("AgentResponse", message));
  if ("result" in message === "error" in message) found.push("has not exactly one of result and error");
  if ("error" in message) found.push(...faults("Error", message.error));
  else if (!answered) found.push("answers nothing that was asked");
  else if (resultOf.has(answered)) found.push(...faults(resultOf.get(answered), message.result));
  return found;
}
