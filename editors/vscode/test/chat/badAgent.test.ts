import assert from "node:assert/strict";
import { access, chmod } from "node:fs/promises";
import { test } from "node:test";

import { Desk, standIn } from "./desk.js";

/** Waits until a process is gone: a killed process exists for another moment. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const bad = (how: string): { agent: ReturnType<typeof standIn> } => ({ agent: standIn("bad", how) });

test("an agent that dies amid a turn is an error with its last words, and the next prompt starts it again", () =>
  Desk.use(bad("dies"), async (desk) => {
    await desk.prompt("one");
    const notice = desk.view.all("notice").at(-1);
    assert.equal(notice?.severity, "error");
    assert.match(notice?.title ?? "", /The agent stopped\. It exited with code 3/);
    assert.match(notice?.description ?? "", /out of memory/);
    assert.equal(notice?.retry, true);
    assert.equal(desk.view.session.status, "failed");
    await desk.say({ type: "retry" });
    assert.equal(desk.view.all("user").length, 2);
    assert.match(desk.view.text, /I was about toI was about to/);
    assert.equal(desk.view.all("notice").filter((n) => n.retry).length, 1, "an old failure can be tried again");
  }));

test("an agent that cannot start says why", () =>
  Desk.use(bad("dies at once"), async (desk) => {
    const [notice] = desk.view.all("notice");
    assert.match(notice?.title ?? "", /failed to start\. It exited with code 1/);
    assert.match(notice?.description ?? "", /no such model/);
    assert.equal(desk.view.session.status, "failed");
  }));

test("a command that is not there is told with what to do", () =>
  Desk.use({ agent: { command: "/nowhere/turnwire", args: [], env: {} } }, async (desk) => {
    assert.match(desk.view.all("notice")[0]?.title ?? "", /\/nowhere\/turnwire was not found\. .*turnwire\.command/);
  }));

test("a program of the workspace is not taken for one that is in PATH", () =>
  Desk.use({ agent: { command: "trap", args: [], env: { PATH: ".:" } }, files: { trap: "#!/bin/sh\ntouch sprung\n" }, start: false }, async (desk) => {
    await chmod(desk.path("trap"), 0o755);
    await desk.ready();
    assert.match(desk.view.all("notice")[0]?.title ?? "", /^.*trap was not found\./);
    await assert.rejects(access(desk.path("sprung")));
  }));

test("an agent that speaks another version is refused", () =>
  Desk.use(bad("speaks another version"), async (desk) => {
    assert.match(desk.view.all("notice")[0]?.title ?? "", /version 9/);
  }));

test("what a dead agent has started does not survive it, and does not keep its connection open", () =>
  Desk.use(bad("leaves a child"), async (desk) => {
    await desk.prompt("go");
    const [, pid] = /child (\d+)/.exec(desk.view.text) ?? [];
    assert.ok(pid);
    assert.equal(desk.view.session.status, "failed");
    await gone(Number(pid));
  }));

test("an agent that does not listen is cancelled at once where the person sees it, and ended the second time", () =>
  Desk.use(bad("hangs"), async (desk) => {
    const turn = desk.prompt("go");
    await desk.view.until(() => desk.view.text !== "");
    await desk.say({ type: "cancel" });
    await desk.view.until(() => desk.view.session.status === "cancelling");
    await desk.say({ type: "cancel" });
    await turn;
    await desk.view.until(() => desk.view.session.status === "failed");
    assert.match(desk.view.all("notice").at(-1)?.title ?? "", /killed by SIGKILL/);
  }));

test("a new chat does not wait for an agent that hangs", () =>
  Desk.use(bad("hangs"), async (desk) => {
    void desk.say({ type: "prompt", text: "go", attachments: [] });
    await desk.view.until(() => desk.view.text !== "");
    const before = desk.view.session.chatId;
    await desk.say({ type: "newSession" });
    assert.notEqual(desk.view.session.chatId, before);
    assert.deepEqual(desk.view.items, []);
  }));

test("a prompt can be cancelled while the agent starts", () =>
  Desk.use({ ...bad("never says what it can do"), start: false }, async (desk) => {
    void desk.ready();
    const turn = desk.say({ type: "prompt", text: "go", attachments: [] });
    await desk.view.until(() => desk.view.session.status === "running");
    await desk.say({ type: "cancel" });
    await turn;
    assert.equal(desk.host.conversation.busy, false);
  }));

test("lines that are none, updates that nobody knows and late answers end nothing", () =>
  Desk.use(bad("garbage"), async (desk) => {
    await desk.prompt("go");
    assert.equal(desk.view.text, "Still here.");
    assert.equal(desk.view.session.status, "idle");
    assert.deepEqual(desk.view.all("notice"), []);
    await desk.prompt("again");
    assert.equal(desk.view.text, "Still here.Still here.");
  }));

test("what is huge is cut, in what is kept and in what is sent", () =>
  Desk.use(bad("huge"), async (desk) => {
    await desk.prompt("go");
    const [call, diff] = desk.view.calls;
    const [content] = call?.content ?? [];
    assert.ok(content?.type === "text" && content.text.length < 200_000, "the output is not cut");
    assert.match(content.text, /part omitted/);
    assert.ok((call?.input.length ?? 0) < 50_000, "the arguments are not cut");
    const [change] = diff?.content ?? [];
    assert.ok(change?.type === "diff" && change.lines.length <= 2_001, "the difference is not cut");
    assert.equal(desk.view.text, Array.from({ length: 20_000 }, (_, i) => `${i} `).join(""));
  }));

test("a terminal that prints megabytes costs the view little, and its end is shown", () =>
  Desk.use(bad("streams a terminal"), async (desk) => {
    await desk.prompt("go");
    const [content] = desk.view.calls[0]?.content ?? [];
    assert.ok(content?.type === "terminal");
    assert.match(content.text, /the end\n$/);
    assert.ok(content.text.length < 250_000);
    assert.equal(content.exitCode, 3);
    const sent = JSON.stringify(desk.view.taken).length;
    assert.ok(sent < 25_000_000, `${sent} characters were sent for 5 MB`);
  }));

test("an error of the agent is shown in its own words, and can be tried again", () =>
  Desk.use(bad("fails"), async (desk) => {
    await desk.prompt("go");
    const notice = desk.view.all("notice").at(-1);
    assert.equal(notice?.title, "The model is overloaded.");
    assert.equal(notice?.retry, true);
    assert.equal(desk.view.session.status, "idle");
  }));
