// The Agent Host Protocol, with the official crates as the client: applying our
// actions results in the state that we publish.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const peer = process.env.TURNWIRE_PEER;
assert.ok(peer, "TURNWIRE_PEER must name the program of test/peers/rust");
const folder = new URL("../../internal/bridge/ahpmap/testdata/", import.meta.url);

// A golden file has one action per line, an empty line, and the resulting chat.
function golden(name) {
  const text = readFileSync(new URL(name, folder), "utf8");
  const end = text.indexOf("\n\n");
  const expected = JSON.parse(text.slice(end));
  const state = { resource: expected.resource, title: "", status: 1, modifiedAt: expected.modifiedAt, turns: [] };
  return { state, actions: text.slice(0, end).split("\n").map((line) => JSON.parse(line)), expected };
}

const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
const cases = names.map(golden);
const run = spawnSync(peer, ["fold"], { input: cases.map((c) => JSON.stringify(c) + "\n").join(""), encoding: "utf8", maxBuffer: 1 << 28 });
assert.equal(run.status, 0, run.stderr);
const results = run.stdout.trim().split("\n").map((line) => JSON.parse(line));

for (const [i, name] of names.entries()) {
  test(`official reducers: ${name}`, () => {
    const { folded, expected, refused } = results[i];
    assert.deepEqual(refused, []);
    assert.deepEqual(expected, cases[i].expected, "the official types lose something of our state");
    delete folded.modifiedAt; // each client has its own clock
    delete expected.modifiedAt;
    assert.deepEqual(folded, expected);
  });
}
