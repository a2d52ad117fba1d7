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

test("a crash during a turn is an error with the last output, and the next prompt restarts the agent", () =>
  Desk.use(bad("dies"), async (desk) => {
    await desk.prompt("one");
    const notice = desk.view.all("notice").at(-1);
    assert.equal(notice?.severity, "error");
    assert.match(notice?.title ?? "", /The agent stopped \(exit status 3\)\./);
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
    assert.match(notice?.title ?? "", /failed to start\. The agent stopped \(exit status 1\)\./);
    assert.match(notice?.description ?? "", /no such model/);
    assert.equal(desk.view.session.status, "failed");
  }));

test("a missing command is reported with a remedy", () =>
  Desk.use({ agent: { command: "/nowhere/turnwire", args: [], env: {} } }, async (desk) => {
    assert.match(desk.view.all("notice")[0]?.title ?? "", /\/nowhere\/turnwire was not found\. Install Turnwire 0\.0\.0 or later.*turnwire\.command/);
  }));

for (const [what, script, title] of [
  ["too old", "echo 'Error: unknown command \"acp\" for \"turnwire\"' >&2; exit 2", /turnwire is too old for this extension, which needs Turnwire 0\.0\.0 or later\./],
  ["broken", "kill -SEGV $$", /turnwire is broken or is not Turnwire: this extension needs Turnwire 0\.0\.0 or later\./],
  ["another program", "exit 0", /turnwire is broken or is not Turnwire: /],
] as const) {
  test(`a binary that is ${what} is reported with the needed version and a remedy`, () =>
    Desk.use({ files: { turnwire: `#!/bin/sh\n${script}\n` }, start: false }, async (desk) => {
      await chmod(desk.path("turnwire"), 0o755);
      desk.use({ command: desk.path("turnwire"), args: ["acp"], env: {} });
      await desk.ready();
      const [notice] = desk.view.all("notice");
      assert.match(notice?.title ?? "", title);
      assert.deepEqual(notice?.fixes, ["install", "settings", "again"]);
    }));
}

test("a program in the workspace is not run instead of one in PATH", () =>
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

test("a dead agent's processes are ended and don't keep its connection open", () =>
  Desk.use(bad("leaves a child"), async (desk) => {
    await desk.prompt("go");
    const [, pid] = /child (\d+)/.exec(desk.view.text) ?? [];
    assert.ok(pid);
    assert.equal(desk.view.session.status, "failed");
    await gone(Number(pid));
  }));

test("a cancel that the agent ignores is shown at once, and the second one ends the agent", () =>
  Desk.use(bad("hangs"), async (desk) => {
    const turn = desk.prompt("go");
    await desk.view.until(() => desk.view.text !== "");
    await desk.say({ type: "cancel" });
    await desk.view.until(() => desk.view.session.status === "cancelling");
    await desk.say({ type: "cancel" });
    await turn;
    await desk.view.until(() => desk.view.session.status === "failed");
    assert.match(desk.view.all("notice").at(-1)?.title ?? "", /The agent stopped \(signal: SIGKILL\)\./);
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

test("invalid lines, unknown updates and late answers are ignored", () =>
  Desk.use(bad("garbage"), async (desk) => {
    await desk.prompt("go");
    assert.equal(desk.view.text, "Still here.");
    assert.equal(desk.view.session.status, "idle");
    assert.deepEqual(desk.view.all("notice"), []);
    await desk.prompt("again");
    assert.equal(desk.view.text, "Still here.Still here.");
  }));

test("huge values are cut in saved and sent messages", () =>
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

test("an agent's error is shown unchanged, and the prompt can be retried", () =>
  Desk.use(bad("fails"), async (desk) => {
    await desk.prompt("go");
    const notice = desk.view.all("notice").at(-1);
    assert.equal(notice?.title, "The model is overloaded.");
    assert.equal(notice?.retry, true);
    assert.equal(desk.view.session.status, "idle");
  }));
