// Turnwire is invisible in front of an agent that speaks ACP itself: agent and
// client receive the same with and without it, line by line, except for request
// ids and the differences listed in converse.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { converse } from "./converse.mjs";
import { Schema } from "./sample.mjs";
import { faults } from "./schema.mjs";

const binary = process.env.TURNWIRE_BINARY;

for (const file of ["schema.json", "schema.unstable.json"]) {
  test(`every message in ${file} passes unchanged`, async () => {
    const direct = await converse(file, (command) => command);
    const relayed = await converse(file, (command) => [binary, "acp", "--agent", "acp", "--", ...command]);
    assert.ok(direct.client.length > 300, `only ${direct.client.length} lines`);
    for (const side of ["client", "agent"]) {
      for (let i = 0; i < Math.max(direct[side].length, relayed[side].length); i++) {
        assert.deepEqual(relayed[side][i], direct[side][i], `line ${i} that the ${side} was sent`);
      }
    }
  });
}

test("the samples match the official schema", () => {
  const schema = new Schema("schema.json");
  for (const [, { params, result }] of schema.methods) {
    for (const definition of [params, result]) {
      for (const sample of definition ? schema.samples(definition) : []) assert.deepEqual(faults(definition, sample), []);
    }
  }
});
