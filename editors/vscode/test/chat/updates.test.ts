import assert from "node:assert/strict";
import { test } from "node:test";

import { Transcript } from "../../src/chat/transcript.js";
import { Updates, type SessionFacts } from "../../src/chat/updates.js";

const none = (): void => {};
const facts: SessionFacts = { title: none, commands: none, configOptions: none, mode: none, steers: none, usage: none };

test("streamed values are bounded in replays and summaries, too", () => {
  const transcript = new Transcript(none);
  const updates = new Updates(transcript, facts, Date.now, { of: () => undefined, ofURL: String });
  const content = { type: "text" as const, text: "x".repeat(10_000) };
  updates.apply({ sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" });
  updates.replay(true);
  for (let i = 0; i < 100; i++) updates.apply({ sessionUpdate: "compaction_summary_chunk", compactionId: "c", content });
  for (let i = 0; i < 100; i++) {
    updates.apply({ sessionUpdate: "user_message_chunk", content });
    updates.apply({ sessionUpdate: "user_message_chunk", content: { type: "resource_link", name: "f", uri: "file:///f" } });
  }
  const [notice, user] = transcript.items;
  assert.ok(notice?.type === "notice" && user?.type === "user");
  const most = 140_000;
  assert.ok((notice.description ?? "").length < most, `a summary of ${notice.description?.length}`);
  assert.ok(user.text.length < most, `a prompt of ${user.text.length}`);
  assert.equal(user.attachments.length, 100);
});

test("an image keeps its place between texts", () => {
  const transcript = new Transcript(none);
  const updates = new Updates(transcript, facts, Date.now, { of: () => undefined, ofURL: String });
  updates.turnBegins();
  const say = (text: string): void => updates.apply({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } });
  say("Before");
  say(" it.");
  updates.apply({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "image", mimeType: "image/png", data: "AAAA" } });
  say("\n");
  say("After");
  say(" it.");
  assert.deepEqual(transcript.items.map((item) => item.type === "message" && [item.text.trim(), item.blocks.length]), [["Before it.", 1], ["After it.", 0]]);
});
