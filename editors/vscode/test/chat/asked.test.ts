import assert from "node:assert/strict";
import { test } from "node:test";

import type { ToolCall } from "../../src/shared/model.js";
import { makeDiff } from "../../src/chat/diff.js";
import { reviewedAs, wholeText } from "../../src/vscode/requestText.js";

const call = (more: Partial<ToolCall>): ToolCall => ({
  type: "tool", id: "t", title: "ls", kind: "execute", status: "pending", started: 0, locations: [], input: "", content: [], ...more,
});
const diff = (path: string): ToolCall["content"][number] => makeDiff(path, "one\n", "two\n");

test("a request shows the arguments that its title omits", () => {
  const permission = { requestId: "r", options: [], reason: "to look" };
  const input = (value: object): string => JSON.stringify(value, null, 2);
  assert.deepEqual(wholeText(call({ input: input({ command: "ls" }) }), permission), ["ls", "to look"]);
  assert.deepEqual(wholeText(call({ input: input({ command: "rm x\nls" }) }), permission), ["ls", '{"command":"rm x\\nls"}', "to look"]);
  assert.deepEqual(wholeText(call({ input: input({ command: "ls", cwd: "/" }) }), permission), ["ls", '{"command":"ls","cwd":"/"}', "to look"]);
});

test("only a single text or diff is reviewed beside the chat", () => {
  assert.equal(reviewedAs(call({})), "text");
  assert.equal(reviewedAs(call({ content: [diff("/a")] })), "diff");
  assert.equal(reviewedAs(call({ content: [diff("/a"), diff("/b")] })), undefined);
  const block = { type: "resource", resource: { uri: "x:y", text: "rm -rf ~" } } as const;
  assert.equal(reviewedAs(call({ content: [{ type: "block", block }] })), undefined);
});
