// Checks the output of "turnwire check --sarif" against the official SARIF 2.1.0
// schema, as packaged by its authors: for a stream, and for agents with and without
// faults.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import Ajv from "ajv";
import addFormats from "ajv-formats";

const binary = process.env.TURNWIRE_BINARY;
assert.ok(binary, "TURNWIRE_BINARY must name the binary to test");

// The schema uses draft 4, where $id was called id. Later drafts read everything else
// the same way, except for a pattern that isn't valid as a Unicode regular expression.
const { $schema, id, ...schema } = JSON.parse(readFileSync(createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8"));
assert.equal($schema, "http://json-schema.org/draft-04/schema#");
const validate = addFormats(new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })).compile({ $id: id, ...schema });

function check(...args) {
  return new Promise((resolve, reject) => {
    execFile(binary, ["check", "--sarif", ...args], { timeout: 120_000 }, (error, stdout, stderr) => {
      if (error && error.code !== 1) reject(new Error(`${error.message}: ${stderr}`));
      else resolve(JSON.parse(stdout));
    });
  });
}

function lawful(log, ...rules) {
  assert.ok(validate(log), JSON.stringify(validate.errors, null, 1));
  const found = log.runs[0].results.map((result) => result.ruleId);
  for (const rule of rules) assert.ok(found.includes(rule), `${rule} is not among ${found}`);
  const known = new Set(log.runs[0].tool.driver.rules.map((rule) => rule.id));
  for (const rule of found) assert.ok(known.has(rule), `${rule} is a rule that is not listed`);
  return found;
}

test("findings about a stream", async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnwire sarif ü "));
  try {
    const file = join(folder, "a stream.jsonl");
    writeFileSync(file, '\ufeff{"type":"text_dleta","text":"ü"}\nno JSON\n{"type":"tool_end","toolCallId":"c","ok":true}\n{"type":"thinking_delta","text":"x"}\n');
    const log = await check(file);
    lawful(log, "bom", "unknown-event", "not-json", "end-without-start", "wrong-member");
    assert.ok(log.runs[0].results.every((result) => !result.locations || result.locations[0].physicalLocation.region.startLine > 0));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("findings about agents, and none", async () => {
  lawful(await check("--", process.execPath, "-e", 'process.stdout.write("hello\\n")'), "not-json");
  const none = lawful(await check("--acp", "--", binary, "acp", "--no-journal"));
  assert.deepEqual([...new Set(none)], ["unchecked"]);
  // ACP findings name the requirements of the official kit.
  const faulty = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id } = JSON.parse(line);
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 2 } }));
  });`;
  const log = await check("--acp", "--", process.execPath, "-e", faulty);
  lawful(log, "acp-version");
  assert.deepEqual(log.runs[0].results.find((result) => result.ruleId === "acp-version").properties, { tags: ["ACP-INIT-002"] });
});

test("invalid SARIF is found", () => {
  assert.ok(!validate({ version: "2.1.0", runs: [{ results: [] }] }));
  assert.ok(!validate({ version: "2.1.0", runs: [{ tool: { driver: { name: "t", rules: [{ id: "r", level: "error" }] } } }] }));
});
