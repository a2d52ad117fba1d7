import assert from "node:assert/strict";
import { test } from "node:test";

import { describe } from "../../src/chat/events.js";

test("answers are logged only if whole events are", () => {
  const event = { type: "question_answered", answer: "s3cret" };
  assert.equal(describe(event, false), "question_answered");
  assert.match(describe(event, true), /s3cret/);
  assert.equal(describe({ type: "telemetry", name: "retry", attributes: { header: "s3cret" } } as { type: string }, false), "telemetry retry");
});
