// The schemas in Ajv's strictest mode, and the errors that the closed ones
// report for a typo.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";

const folder = new URL("../../schema/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const files = readdirSync(folder).filter((name) => name.endsWith(".schema.json"));
const strictest = { strict: true, allErrors: true };

const events = readFileSync(new URL("every-event.jsonl", import.meta.url), "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const at = { sessionId: "s", turnId: "t" };
const editor = { readFile: true, writeFile: true, terminal: true, forms: true, pages: true };
const commands = [
  { type: "session", sessionId: "s", cwd: "/w", roots: ["/x"], mcpServers: [{ name: "m", command: "m" }], editor, resume: true, forkOf: "r", state: { step: 1 } },
  { type: "prompt", ...at, cwd: "/w", text: "hi", prompt: [{ type: "text", text: "hi" }], history: [{ role: "user", text: "ho" }] },
  { type: "cancel", ...at },
  { type: "tool_confirmation_response", ...at, toolCallId: "c", confirmationId: "k", decision: "allow_once", optionId: "o", reason: "r" },
  { type: "question_response", ...at, questionId: "q", answer: "a", answers: ["a"], values: { cups: 2, hot: true }, cancelled: false, declined: false },
  { type: "editor_response", ...at, requestId: "r", ok: true, text: "t", output: "o", exited: true, exitCode: 0, signal: "TERM" },
  { type: "set_option", sessionId: "s", optionId: "mode", value: true },
];
const valid = { "agent-event": events, "agent-command": commands };

test("Ajv compiles every schema in its strict mode, and each has its own $id", () => {
  const together = new Ajv2020(strictest);
  assert.ok(files.length >= 6, files.join());
  for (const file of files) {
    const schema = read(file);
    assert.equal(schema.$id.split("/").pop(), file);
    assert.doesNotThrow(() => new Ajv2020(strictest).compile(schema), file);
    together.addSchema(schema); // throws if two schemas have the same $id
  }
});

// Two ways to the same verdict: the root, for every validator, and its twin
// with a discriminator.
function closed(name) {
  const ajv = new Ajv2020({ ...strictest, discriminator: true });
  const schema = read(`${name}-strict.schema.json`);
  ajv.addSchema(schema);
  const twin = ajv.compile({ $ref: `${schema.$id}#/$defs/${schema.title.replace("Strict", "")}` });
  const root = new Ajv2020(strictest).compile(schema);
  return [
    // Ajv reports an error inside "then" a second time, as one of its "if".
    (value) => (root(value) ? [] : root.errors.filter((e) => e.keyword !== "if")),
    (value) => (twin(value) ? [] : twin.errors),
  ];
}

for (const [name, values] of Object.entries(valid)) {
  test(`valid values pass ${name} and its closed variant`, () => {
    const open = new Ajv2020(strictest).compile(read(`${name}.schema.json`));
    const strict = closed(name);
    for (const value of values) {
      assert.ok(open(value), `${JSON.stringify(value)}: ${JSON.stringify(open.errors)}`);
      for (const faults of strict) assert.deepEqual(faults(value), [], JSON.stringify(value));
    }
  });
}

const slips = {
  "agent-event": [
    [{ type: "text_dleta", text: "x" }, "/type"],
    [{ text: "x" }, ""],
    [{ type: "text_delta", text: "x", mesageId: "m" }, ""],
    [{ type: "text_delta" }, ""],
    [{ type: "text_delta", text: 1 }, "/text"],
    [{ type: "text_delta", text: "x", turnId: null }, "/turnId"],
    [{ type: "tool_start", toolCallId: "c", toolName: "t", kind: "writing" }, "/kind"],
    [{ type: "tool_start", toolCallId: "c", toolName: "t", locations: [{ path: "a", lien: 1 }] }, "/locations/0"],
    [{ type: "tool_end", toolCallId: "c", ok: "yes" }, "/ok"],
    [{ type: "plan", entries: [{ content: "c", status: "done" }] }, "/entries/0/status"],
    [{ type: "question", questionId: "q", question: "?", fields: [{ name: "n", type: "text" }] }, "/fields/0/type"],
    [{ type: "tool_confirmation_request", toolCallId: "c", decisions: ["yes"] }, "/decisions/0"],
    [{ type: "tool_confirmation_request", toolCallId: "c", options: [{ id: "a", kind: "cancelled" }] }, "/options/0/kind"],
    [{ type: "done", text: "", stopReason: "finished" }, "/stopReason"],
    [{ type: "usage", inputTokens: -1, outputTokens: 1, estimatedCostUsd: 0 }, "/inputTokens"],
    [["text_delta"], ""],
  ],
  "agent-command": [
    [{ type: "promt", ...at }, "/type"],
    [{ type: "cancel", ...at, why: "x" }, ""],
    [{ type: "tool_confirmation_response", ...at, toolCallId: "c", decision: "yes" }, "/decision"],
    [{ type: "session", sessionId: "s", cwd: "/w", roots: [], mcpServers: [], editor: { ...editor, terminals: true } }, "/editor"],
  ],
};

for (const [name, cases] of Object.entries(slips)) {
  test(`each mistake is exactly one error of ${name}-strict, at its place`, () => {
    const strict = closed(name);
    for (const [slip, path] of cases) {
      for (const faults of strict) {
        const found = faults(slip);
        assert.equal(found.length, 1, `${JSON.stringify(slip)}: ${JSON.stringify(found)}`);
        // A discriminator error refers to the object that lacks a known type.
        if (path !== "/type") assert.equal(found[0].instancePath, path, JSON.stringify(slip));
      }
    }
  });
}
