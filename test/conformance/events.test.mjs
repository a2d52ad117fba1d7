// Every event that an agent can print, as each kind of editor sees it. Each
// line is checked against the official schema; see Editor.close.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Editor } from "./editor.mjs";
import { editors } from "./editors.mjs";
import { faults, schemas } from "./own.mjs";

const recording = fileURLToPath(new URL("every-event.jsonl", import.meta.url));
const lines = readFileSync(recording, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

// variants maps an event's type to its definition.
const { oneOf, $defs } = schemas["agent-event"];
const variants = new Map(
  oneOf.map(({ $ref }) => {
    const def = $defs[$ref.replace("#/$defs/", "")];
    return [def.properties.type.const, def];
  }),
);

test("the recording has every event with every member", () => {
  for (const [type, { properties }] of variants) {
    const seen = new Set(lines.filter((l) => l.type === type).flatMap(Object.keys));
    const missing = Object.keys(properties).filter((name) => !seen.has(name) && name !== "turnId");
    // No single call can both have succeeded and been cancelled, for example.
    // It is enough if each member occurs in some line.
    assert.deepEqual(missing, type === "question" ? ["multiple"] : [], type);
  }
});

test("the recording matches the schema", () => {
  for (const line of lines) assert.deepEqual(faults("agent-event", line), [], JSON.stringify(line));
});

for (const [kind, capabilities] of Object.entries(editors)) {
  test(`every event is shown in valid messages in ${kind}`, { timeout: 60_000 }, () =>
    Editor.use({ capabilities, args: ["acp", "--replay", recording] }, async (editor) => {
      const choose = ({ params }) => ({ outcome: { outcome: "selected", optionId: params.options[0].optionId } });
      editor.onPermission = choose;
      editor.onElicitation = ({ params }) => ({
        action: "accept",
        content: params.mode === "form" ? { [Object.keys(params.requestedSchema.properties)[0]]: "Red" } : undefined,
      });
      const turn = await editor.prompt("Go");
      assert.equal(turn.stopReason, "end_turn");
      const kinds = new Set(turn.updates.map((u) => u.sessionUpdate));
      for (const kind of ["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", capabilities.plan ? "plan_update" : "plan", "user_message_chunk", "usage_update", "session_info_update"]) {
        assert.ok(kinds.has(kind), `no ${kind}`);
      }
      assert.equal(kinds.has("notice"), capabilities.session?.notices !== undefined);
      assert.equal(kinds.has("compaction_update"), capabilities.session?.compaction !== undefined);
      if (!kinds.has("notice")) assert.match(turn.text(), /Careful/, "a notice is never dropped");
      const failed = turn.tools().filter((t) => t.status === "failed").map((t) => t.title);
      assert.ok(failed.length >= 3, `failed: ${failed}`);
    }));
}
