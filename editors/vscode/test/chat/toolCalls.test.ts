/** A call's outcome, duration and output, derived from the agent's updates. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { RequestPermissionRequest, SessionUpdate } from "@agentclientprotocol/sdk";

import { PendingRequests } from "../../src/chat/pendingRequests.js";
import { SharedTurnReader, type SharedDecision } from "../../src/chat/sharedTurns.js";
import { Transcript } from "../../src/chat/transcript.js";
import { wholeText } from "../../src/chat/toolCalls.js";
import { Updates, type SessionFacts } from "../../src/chat/updates.js";
import { cutMark } from "../../src/shared/cut.js";
import type { ToolCall } from "../../src/shared/model.js";

const none = (): void => {};
const facts: SessionFacts = { title: none, commands: none, configOptions: none, mode: none, steers: none, usage: none };

class Chat {
  time = 1_000;
  readonly transcript = new Transcript(none);
  readonly updates = new Updates(this.transcript, facts, () => this.time, { of: () => undefined, ofURL: String });
  readonly asks = new PendingRequests("chat", this.transcript, this.updates, { asked: none, settled: none }, () => this.time);

  begin(status: "pending" | "in_progress" = "in_progress"): void {
    this.updates.turnBegins();
    this.updates.apply({ sessionUpdate: "tool_call", toolCallId: "c", title: "Run", kind: "execute", status });
  }

  update(part: object): void {
    this.updates.apply({ sessionUpdate: "tool_call_update", toolCallId: "c", ...part });
  }

  readonly request: RequestPermissionRequest = {
    sessionId: "s",
    toolCall: { toolCallId: "c" },
    options: [{ optionId: "yes", name: "Allow", kind: "allow_once" }, { optionId: "no", name: "Reject", kind: "reject_once" }],
  };

  /** Asks, and answers after that many milliseconds. */
  async ask(optionId: "yes" | "no", after: number): Promise<void> {
    const answer = this.asks.permission(this.request, new AbortController().signal);
    this.time += after;
    this.asks.permissions.answer(this.call.permission?.requestId ?? "", optionId);
    await answer;
  }

  get call(): ToolCall {
    return this.transcript.find("tool", "c") ?? assert.fail("there is no call");
  }
}

test("a call's duration excludes waiting for the user", async () => {
  const chat = new Chat();
  chat.begin();
  chat.time += 100;
  await chat.ask("yes", 60_000);
  await chat.ask("yes", 5_000);
  chat.time += 300;
  chat.update({ status: "completed" });
  assert.equal((chat.call.ended ?? 0) - chat.call.started, 400);
});

for (const status of ["pending", "in_progress"] as const) {
  test(`the duration of a call that was ${status} excludes the time that its answer waited for the network`, async () => {
    const chat = new Chat();
    chat.begin(status);
    chat.time += 100;
    await chat.ask("yes", 60_000);
    chat.time += 8_000; // until the connection counts as lost
    chat.asks.markUnsent(new Set(["c"]), 0);
    chat.time += 50_000;
    chat.asks.markUnsent(new Set(["c"]), 0);
    chat.asks.markUnsent(new Set(), 0);
    chat.time += 300;
    chat.update({ status: "completed" });
    assert.equal((chat.call.ended ?? 0) - chat.call.started, status === "pending" ? 300 : 400);
  });
}

test("a call's duration excludes what it waited before this client joined", async () => {
  const chat = new Chat();
  chat.updates.replay(true);
  chat.updates.apply({ sessionUpdate: "tool_call", toolCallId: "c", title: "Write", status: "pending" }, { at: 1_000, until: 1_000 });
  chat.time += 60_000;
  chat.updates.replay(false, true);
  await chat.ask("yes", 5_000);
  chat.update({ status: "in_progress" });
  chat.time += 300;
  chat.update({ status: "completed" });
  assert.equal((chat.call.ended ?? 0) - chat.call.started, 300);
});

test("replayed calls have their original durations if times are known", () => {
  const chat = new Chat();
  const past = (update: SessionUpdate, at: number, until = at): void => chat.updates.apply(update, { at, until });
  chat.updates.replay(true);
  past({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Well." } }, 10, 700);
  past({ sessionUpdate: "tool_call", toolCallId: "a", title: "Read", status: "completed" }, 800, 1_900);
  past({ sessionUpdate: "tool_call", toolCallId: "b", title: "Write", status: "pending" }, 2_000);
  past({ sessionUpdate: "tool_call_update", toolCallId: "b", _meta: { "turnwire.dev/decision": { verdict: "allow", option: "allow_once" } } }, 60_000);
  past({ sessionUpdate: "tool_call_update", toolCallId: "b", status: "in_progress" }, 60_000);
  past({ sessionUpdate: "tool_call_update", toolCallId: "b", status: "completed" }, 60_500);
  past({ sessionUpdate: "tool_call", toolCallId: "c", title: "Run", status: "in_progress" }, 61_000);
  past({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "The clock was set back." } }, 50_000);
  chat.updates.replay(false);
  const taken = chat.transcript.items.map((item) => ("started" in item ? (item.ended ?? Infinity) - item.started : undefined));
  assert.deepEqual(taken, [790, 1_100, 500, 0, undefined]);
});

test("replayed calls have no duration if times are unknown", () => {
  const chat = new Chat();
  chat.updates.replay(true);
  chat.time += 5_000;
  chat.updates.apply({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Well." } });
  chat.time += 5_000;
  chat.updates.replay(false);
  const thought = chat.transcript.items[0];
  assert.ok(thought?.type === "thought");
  assert.equal(thought.ended, thought.started);
});

test("a call that was not allowed is rejected, whatever the agent says of it", async () => {
  for (const end of [{ status: "failed" }, { status: "failed", _meta: { "turnwire.dev/cancelled": true } }]) {
    const chat = new Chat();
    chat.begin();
    await chat.ask("no", 10);
    chat.update(end);
    assert.equal(chat.call.status, "rejected");
  }
});

test("another client's answer is shown as such, and permits nothing here", async () => {
  for (const [optionId, decision, status] of [["no", "Rejected, from Zed", "rejected"], ["yes", "Allowed, from Zed", "cancelled"], ["other", undefined, "cancelled"]] as const) {
    const chat = new Chat();
    chat.begin();
    const answer = chat.asks.permission(chat.request, new AbortController().signal);
    const [news] = new SharedTurnReader().read({
      jsonrpc: "2.0", method: "session/update",
      params: { sessionId: "s", update: { sessionUpdate: "permission_resolved", toolCallId: "c", optionId, resolvedBy: { clientId: "2", name: "Zed" } } },
    });
    chat.asks.permissions.decidedElsewhere((news as unknown as { params: SharedDecision }).params);
    assert.equal(chat.asks.waiting, decision === undefined ? 1 : 0);
    if (decision !== undefined) assert.deepEqual((await answer).outcome, { outcome: "cancelled" });
    chat.update({ status: "failed", _meta: { "turnwire.dev/cancelled": true } });
    assert.deepEqual([chat.call.decision, chat.call.status], [decision, status]);
  }
});

test("a call that was finally allowed, or ran anyway, is not rejected", async () => {
  const allowed = new Chat();
  allowed.begin();
  await allowed.ask("no", 10);
  await allowed.ask("yes", 10);
  allowed.update({ status: "failed" });
  assert.equal(allowed.call.status, "failed");
  const done = new Chat();
  done.begin();
  await done.ask("no", 10);
  done.update({ status: "completed" });
  assert.equal(done.call.status, "completed");
});

test("a call that was running when its turn was cut off is interrupted, not failed", () => {
  for (const [how, status] of [["failed", "interrupted"], ["cancelled", "cancelled"], ["ended", "completed"]] as const) {
    const chat = new Chat();
    chat.begin();
    chat.updates.turnEnds(how);
    assert.equal(chat.call.status, status);
  }
});

test("raw output is shown as printed, unless there is content", () => {
  const shown = (part: object): unknown => {
    const chat = new Chat();
    chat.begin();
    chat.update({ status: "completed", ...part });
    return chat.call.content.map((c) => (c.type === "text" ? c.text : c.type));
  };
  assert.deepEqual(shown({ rawOutput: { stdout: "a\nb\n", output: "a\nb", stderr: "" } }), ["a\nb"]);
  assert.deepEqual(shown({ rawOutput: { output: "a", exitCode: 1 } }), ['a\n\n{\n  "exitCode": 1\n}']);
  assert.deepEqual(shown({ rawOutput: { found: 3 } }), ['{\n  "found": 3\n}']);
  assert.deepEqual(shown({ rawOutput: "a", content: [{ type: "content", content: { type: "text", text: "a" } }] }), ["a"]);
});

test("a sub-agent's traceback is not rendered as Markdown", () => {
  const chat = new Chat();
  chat.updates.apply({ sessionUpdate: "tool_call", toolCallId: "c", title: "Think", kind: "think" });
  const text = "Traceback (most recent call last):\n  File \"a.py\", line 1\n*x*";
  chat.update({ content: [{ type: "content", content: { type: "text", text } }, { type: "content", content: { type: "text", text: "*x*" } }] });
  assert.deepEqual(chat.call.content.map((c) => c.type === "text" && c.markdown), [false, true]);
});

test("members that an update omits, or has as null or empty text, are unchanged", () => {
  const chat = new Chat();
  chat.begin();
  chat.update({ name: "shell", rawInput: { command: "ls" }, locations: [{ path: "/a" }], _meta: { "turnwire.dev/percent": 40 } });
  const before = chat.call;
  chat.update({ title: null, name: null, kind: null, rawInput: null, locations: null, content: null, _meta: null });
  chat.update({ title: "", name: "", _meta: { another: 1 } });
  assert.deepEqual(chat.call, before);
  chat.update({ locations: [], rawInput: {} });
  assert.deepEqual([chat.call.locations, chat.call.input], [[], ""]);
});

test("a null key of _meta is removed", () => {
  const chat = new Chat();
  chat.begin();
  chat.update({ _meta: { "turnwire.dev/percent": 40, "turnwire.dev/parentToolCallId": "p" } });
  assert.deepEqual([chat.call.progress, chat.call.parent], [0.4, "p"]);
  chat.update({ _meta: { "turnwire.dev/percent": null } });
  assert.deepEqual([chat.call.progress, chat.call.parent], [undefined, "p"]);
});

test("raw output counts at the end of a call, whenever it came", () => {
  const chat = new Chat();
  chat.begin();
  chat.update({ rawOutput: "old" });
  chat.update({ rawOutput: "new" });
  chat.update({ rawOutput: null });
  assert.deepEqual(chat.call.content, []);
  chat.update({ status: "completed" });
  assert.deepEqual(chat.call.content, [{ type: "text", text: "new", markdown: false }]);
});

test("the whole of an output that is cut is kept, within limits", () => {
  const chat = new Chat();
  const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join("");
  const whole = (): string | undefined => wholeText(chat.call, 0, chat.transcript.wholes);
  chat.begin();
  chat.update({ content: [{ type: "content", content: { type: "text", text: lines(0, 30_000) } }] });
  assert.ok(chat.call.content[0]?.type === "text" && chat.call.content[0].text.includes(cutMark));
  assert.equal(whole(), lines(0, 30_000));
  chat.update({ content: [{ type: "content", content: { type: "text", text: "short" } }] });
  assert.equal(whole(), "short");

  chat.update({ content: [{ type: "terminal", terminalId: "t" }] });
  for (let n = 0; n < 60_000; n += 1_000) chat.updates.print("t", lines(n, n + 1_000));
  assert.equal(whole(), lines(0, 60_000));
  chat.updates.print("t", "x".repeat(25 << 20));
  assert.ok((whole()?.length ?? 0) <= (16 << 20) + cutMark.length);
  assert.match(whole() ?? "", /^line 0\n/);
});
