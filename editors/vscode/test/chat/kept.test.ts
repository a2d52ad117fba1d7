import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { saveOldChats } from "../../src/chat/oldChats.js";
import type { Command } from "../../src/chat/command.js";
import type { ToView } from "../../src/shared/messages.js";
import type { Item, SessionEntry } from "../../src/shared/model.js";
import { Desk, standIn, turnwire } from "./desk.js";

/** Returns the complete list. */
async function sessions(desk: Desk): Promise<SessionEntry[]> {
  await desk.say({ type: "listSessions" });
  return shown(desk).flatMap((page) => page.sessions);
}

function shown(desk: Desk): Extract<ToView, { type: "sessions" }>[] {
  const pages = desk.messages("sessions").filter((m) => m.type === "sessions");
  assert.equal(pages.at(-1)?.last, true);
  return pages.slice(pages.findLastIndex((page) => page.first));
}

/** Returns an item without times and our own ids. */
const gist = (item: Item): unknown => {
  const { id: _, ...rest } = item;
  return JSON.parse(JSON.stringify(rest, (key, value: unknown) => (["started", "ended", "decision", "requestId", "undo"].includes(key) ? undefined : value)));
};

test("after a reload Turnwire replays the chat unchanged, and it continues", () =>
  Desk.use({ files: { "notes.txt": "one\n" } }, async (desk) => {
    await desk.prompt("/think Well.\n/plan A; B\n/say One.\n/read notes.txt\n/append notes.txt two", "allow_once");
    const { items } = desk.view;
    assert.deepEqual(new Set(items.map((i) => i.type)), new Set(["user", "thought", "plan", "message", "tool", "changes"]));
    const before = Date.now();
    await desk.reload();
    assert.deepEqual(desk.view.items.map(gist), items.map(gist));
    for (const item of desk.view.items) if ("started" in item) assert.ok(item.started <= before, "it is known when that was");
    assert.equal(desk.view.session.title, "/think Well.");
    assert.equal(desk.view.session.status, "idle");
    assert.deepEqual(Object.keys(desk.memory.read() ?? {}).sort(), ["agent", "chatId", "cwd", "sessionId"]);
    await desk.prompt("/say Two.");
    assert.match(desk.view.text, /One\..*Two\./s);
    await desk.reload();
    assert.deepEqual(desk.view.all("user").map((u) => u.text.split("\n").at(-1)), ["/append notes.txt two", "/say Two."]);
  }));

test("a window stores no content, and ignores unreadable state", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say One.");
    const file = join(desk.folder, "storage", "chat.json");
    assert.doesNotMatch(await readFile(file, "utf8"), /One/);
    await desk.host.close();
    for (const broken of ["{ broken", "null", '{"chatId":1}']) {
      await writeFile(file, broken);
      assert.equal(desk.memory.read(), undefined);
    }
    desk.open();
    await desk.ready();
    assert.deepEqual(desk.view.items, []);
  }));

test("an empty chat is not restored", () =>
  Desk.use({}, async (desk) => {
    await desk.reload();
    assert.deepEqual([desk.view.items, desk.memory.read()], [[], undefined]);
  }));

test("a turn cut off by a reload is shown as interrupted, and the next prompt works", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.say({ type: "prompt", text: "/plan Say; Run\n/say Before.\n/run touch made", attachments: [] });
    await desk.view.asks();
    await desk.reload();
    await turn;
    assert.deepEqual(desk.view.all("plan").map((plan) => [plan.over, plan.entries.map((e) => e.status)]), [[true, ["completed", "in_progress"]]]);
    const [call] = desk.view.calls;
    assert.deepEqual([call?.permission, call?.status], [undefined, "cancelled"]);
    assert.match(desk.view.text, /Before\./);
    assert.deepEqual(desk.view.all("notice").map((n) => n.title), ["This turn was interrupted."]);
    await desk.prompt("/say After.");
    assert.match(desk.view.text, /After\./);
    await desk.reload();
    assert.deepEqual(desk.view.all("notice").map((n) => n.title), ["Cancelled"], "an interruption that is over is told again");
  }));

test("a turn whose agent was killed with the window is shown as interrupted", () =>
  Desk.use({ agent: { command: "sh", args: ["-c", 'echo $$ > pid; exec "$0" acp', turnwire.command], env: {} } }, async (desk) => {
    const turn = desk.say({ type: "prompt", text: "/write kept.txt one\n/run touch made", attachments: [] });
    const { permission } = await desk.view.asks();
    const allow = permission.options.find(({ kind }) => kind === "allow_once") ?? assert.fail();
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: allow.id });
    await desk.view.until(() => desk.view.calls[1]?.permission);
    const remembered = desk.memory.read();
    assert.equal(remembered?.busy, true);
    process.kill(Number(await readFile(desk.path("pid"), "utf8")), "SIGKILL");
    await turn;
    await desk.host.close();
    desk.memory.write(remembered);
    desk.open();
    await desk.ready();
    assert.deepEqual(desk.view.calls.map(({ status }) => status), ["completed", "failed"]);
    assert.deepEqual(desk.view.all("notice").map((n) => n.title), ["This turn was interrupted because Turnwire exited."]);
    assert.deepEqual(desk.view.all("changes").map(({ files }) => files[0]?.label), ["kept.txt"]);
    await desk.prompt("/say After.");
    assert.match(desk.view.text, /After\./);
  }));

test("chats are listed with the newest first, opened, renamed, and deleted when the person is sure", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say First.");
    await desk.say({ type: "newSession" });
    await desk.prompt("/say Second.");
    const [second, first, ...others] = await sessions(desk);
    assert.deepEqual([second?.title, second?.current, first?.title, first?.current, others], ["/say Second.", true, "/say First.", false, []]);
    assert.ok(Date.parse(first?.updatedAt ?? "") > 0);
    await desk.say({ type: "openSession", id: first?.id ?? "" });
    assert.match(desk.view.text, /First\./);
    assert.equal(desk.view.session.title, "/say First.");
    await desk.prompt("/say Third.");
    assert.match(desk.view.text, /First\..*Third\./s);
    await desk.say({ type: "renameSession", id: first?.id ?? "", title: "The first" });
    await desk.say({ type: "renameSession", id: second?.id ?? "", title: "The second" });
    assert.equal(desk.view.session.title, "The first");
    assert.deepEqual((await sessions(desk)).map((s) => s.title).sort(), ["The first", "The second"]);
    await desk.reload();
    assert.equal(desk.view.session.title, "The first");
    desk.editor.yes = false;
    await desk.say({ type: "deleteSession", id: second?.id ?? "" });
    assert.equal((await sessions(desk)).length, 2, "it was deleted although the person said no");
    desk.editor.yes = true;
    await desk.say({ type: "deleteSession", id: second?.id ?? "" });
    assert.deepEqual((await sessions(desk)).map((s) => s.title), ["The first"]);
    await desk.say({ type: "deleteSession", id: first?.id ?? "" });
    assert.deepEqual(await sessions(desk), []);
    assert.deepEqual([desk.view.items, desk.memory.read()], [[], undefined], "the open chat was deleted, and is still shown");
    assert.deepEqual(desk.editor.told, []);
  }));

test("a chat that is open elsewhere is not opened, and its owner is named", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say Mine.");
    const other = desk.beside();
    try {
      await other.ready();
      const [notice] = other.view.all("notice");
      assert.match(notice?.title ?? "", /^the session tw-\S+ is open in process \d+$/);
      assert.deepEqual(notice?.fixes, ["again"]);
      assert.equal(other.view.session.status, "failed");
      await desk.host.close();
      await other.prompt("/say Again.");
      assert.deepEqual(other.view.all("user").map((u) => u.text), ["/say Mine.", "/say Again."]);
      assert.match(other.view.text, /^Mine\..*Again\./s);
    } finally {
      await other.host.close();
    }
  }));

test("a list of many pages comes page by page", () =>
  Desk.use({ agent: standIn("full", "sessions") }, async (desk) => {
    await sessions(desk);
    assert.deepEqual(shown(desk).map((p) => p.sessions.length), [1, 1, 0]);
  }));

test("a very long list shows the newest chats, and older ones on request", () =>
  Desk.use({ agent: standIn("full", "many") }, async (desk) => {
    assert.deepEqual([(await sessions(desk)).length, shown(desk).at(-1)?.more], [10, true]);
    await desk.say({ type: "moreSessions" });
    assert.deepEqual([shown(desk).flatMap((p) => p.sessions).at(-1)?.title, shown(desk).at(-1)?.more], ["Chat 11", undefined]);
  }));

test("sessions saved by the agent are listed, replayed, renamed and deleted there", () =>
  Desk.use({ agent: standIn("full", "sessions") }, async (desk) => {
    const [old, older] = await sessions(desk);
    assert.deepEqual([old?.title, old?.canDelete, old?.canRename, older?.title], ["Old one", true, true, "Older"]);
    await desk.say({ type: "openSession", id: old?.id ?? "" });
    assert.deepEqual(desk.view.items.map((i) => ("text" in i ? i.text : i.type)), ["What was it?", "It was this."]);
    assert.equal(desk.view.session.title, "Old one");
    await desk.prompt("go on");
    assert.match(desk.view.text, /in old$/);
    await desk.say({ type: "renameSession", id: "old", title: "The old one\n" });
    assert.equal(desk.view.session.title, "The old one");
    assert.equal((await sessions(desk))[0]?.title, "The old one");
    await desk.reload();
    assert.deepEqual(desk.view.all("notice"), []);
    await desk.prompt("again");
    assert.match(desk.view.text, /in old$/);
    await sessions(desk);
    await desk.say({ type: "deleteSession", id: "old" });
    assert.ok(desk.traffic.some((line) => line.startsWith("→") && line.includes('"session/delete"') && line.includes('"old"')));
    assert.deepEqual(desk.view.items, []);
  }));

/** Returns an agent that speaks ACP itself, behind Turnwire. */
const behind = ({ command, args }: Command): Command => ({ ...turnwire, args: ["acp", "--agent", "acp", "--", command, ...args] });

test("sessions saved by an ACP agent behind Turnwire are listed there, too", () =>
  Desk.use({ agent: behind(standIn("full", "sessions")) }, async (desk) => {
    const [old] = await sessions(desk);
    await desk.say({ type: "openSession", id: old?.id ?? "" });
    assert.deepEqual(desk.view.items.map((i) => ("text" in i ? i.text : i.type)), ["What was it?", "It was this."]);
    await desk.say({ type: "renameSession", id: "old", title: "The old one" });
    assert.equal((await sessions(desk))[0]?.title, "The old one");
    await desk.say({ type: "deleteSession", id: "old" });
    assert.deepEqual([desk.view.items, desk.editor.told], [[], []]);
  }));

test("Turnwire saves sessions for an ACP agent that doesn't, and says that the agent forgot them", () =>
  Desk.use({ agent: behind(standIn("full", "echo")) }, async (desk) => {
    await desk.prompt("one");
    assert.deepEqual((await sessions(desk)).map((s) => s.title), ["one"]);
    await desk.reload();
    assert.equal(desk.view.text, "one");
    await desk.prompt("two");
    assert.match(desk.view.text, /^one.*two$/s);
    assert.match(desk.view.all("notice")[0]?.title ?? "", /does not remember the conversation/);
  }));

test("without a journal the chat works and says so", () =>
  Desk.use({ agent: { ...turnwire, args: ["acp", "--no-journal"] } }, async (desk) => {
    await desk.prompt("/say One.");
    assert.deepEqual(await sessions(desk), []);
    assert.match(shown(desk)[0]?.note ?? "", /does not save chats/);
    await desk.reload();
    assert.deepEqual(desk.view.items.map((i) => i.type === "notice" && i.title), ["This agent does not save chats."]);
    await desk.prompt("/say Two.");
    assert.match(desk.view.text, /^Two\./);
  }));

test("the chats of all workspace folders are listed, and each opens in its own", () =>
  Desk.use({}, async (desk) => {
    const first = desk.path(".").replace(/\/\.?$/, "");
    await desk.prompt("/say One.");
    await mkdir(join(desk.folder, "other"));
    desk.editor.open = [join(desk.folder, "other"), first];
    await desk.say({ type: "newSession" });
    await desk.prompt("/say Two.");
    const list = await sessions(desk);
    assert.deepEqual(list.map(({ title, folder }) => [title, folder]), [["/say Two.", "other"], ["/say One.", "work"]]);
    await desk.say({ type: "openSession", id: list[1]?.id ?? "" });
    assert.match(desk.view.text, /One\./);
    assert.equal(desk.host.conversation.cwd, first);
    await desk.prompt("/run pwd", "allow_once");
    assert.ok(JSON.stringify(desk.view.calls).includes(first));
  }));

test("a session that the agent lost is reported, and a new one starts", () =>
  Desk.use({ agent: standIn("full", "sessions") }, async (desk) => {
    await desk.host.close();
    desk.memory.write({ chatId: "c", sessionId: "gone", agent: "workspace" });
    desk.open();
    await desk.ready();
    assert.deepEqual(desk.view.all("notice").map((n) => [n.severity, n.description]), [["warning", "Resource not found"]]);
    await desk.prompt("go on");
    assert.match(desk.view.text, /in s$/);
  }));

test("an agent that saves nothing works, and the list says so", () =>
  Desk.use({ agent: standIn("full", "echo") }, async (desk) => {
    await desk.prompt("one");
    assert.deepEqual(await sessions(desk), []);
    assert.match(shown(desk)[0]?.note ?? "", /does not save chats/);
    await desk.reload();
    assert.deepEqual(desk.view.items.map((i) => i.type === "notice" && i.title), ["This agent does not save chats."]);
    await desk.prompt("two");
    assert.equal(desk.view.text, "two");
  }));

test("an agent that can only resume a session does so, and its limits are named", () =>
  Desk.use({ agent: standIn("full", "resumes") }, async (desk) => {
    await desk.prompt("one");
    await desk.reload();
    assert.match(desk.view.all("notice")[0]?.title ?? "", /continues this chat, but cannot show/);
    await desk.prompt("two");
    assert.equal(desk.view.text, "in s");
  }));

test("a chat continues in its window after a restart, and is not replayed twice", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say One.");
    const { items } = desk.view;
    await desk.host.restart();
    desk.host.flush();
    assert.deepEqual(desk.view.items, items);
    await desk.prompt("/say Two.");
    assert.match(desk.view.text, /One\..*Two\./s);
    assert.deepEqual(desk.view.all("notice"), []);
  }));

test("a reload restores the chat's agent, and the list shows only its chats", () =>
  Desk.use({ agents: { workspace: turnwire, echo: standIn("full", "echo") } }, async (desk) => {
    await desk.prompt("/say One.");
    await desk.say({ type: "newSession", agent: "echo" });
    await desk.prompt("two");
    await desk.reload();
    assert.equal(desk.view.session.agent, "echo");
    await desk.say({ type: "newSession", agent: "workspace" });
    assert.deepEqual((await sessions(desk)).map((s) => s.title), ["/say One."]);
  }));

test("pictures, files and selections of a prompt are shown when it is played back", () =>
  Desk.use({ files: { "notes.txt": "one\ntwo\n" } }, async (desk) => {
    const uri = `file://${desk.path("notes.txt")}`;
    const attachments = [
      { kind: "file" as const, label: "notes.txt", uri },
      { kind: "selection" as const, label: "notes.txt:1-2", uri: `${uri}#L1-L2` },
    ];
    await desk.say({ type: "prompt", text: "/say Seen.", attachments });
    await desk.reload();
    assert.deepEqual(desk.view.all("user").map((u) => u.attachments), [attachments]);
  }));

test("chats of an earlier version become files that can be read, once", () =>
  Desk.use({ start: false }, async (desk) => {
    const [from, to] = [join(desk.folder, "chats"), join(desk.folder, "old-chats")];
    assert.equal(await saveOldChats(from, to), 0);
    await mkdir(from);
    const ids = ["1", "2"].map((n) => `${n}1111111-1111-1111-1111-111111111111`);
    const entries = ids.map((id) => ({ id, title: "Fix: the/store", agent: "team", updatedAt: "2026-01-02T03:04:05Z" }));
    await writeFile(join(from, "index.json"), JSON.stringify({ current: ids[0], entries }));
    const items: Item[] = [
      { type: "user", id: "u", text: "Why?", attachments: [{ kind: "file", label: "a.ts", uri: "" }] },
      { type: "message", id: "m", text: "Because.", blocks: [] },
      { type: "tool", id: "t", title: "Run", kind: "execute", status: "completed", started: 0, locations: [], input: "```", content: [{ type: "text", text: "out\n", markdown: false }] },
    ];
    await writeFile(join(from, `${ids[0]}.json`), JSON.stringify(items));
    await writeFile(join(from, `${ids[1]}.json`), "{ broken");
    assert.equal(await saveOldChats(from, to), 2);
    assert.deepEqual((await readdir(to)).sort(), ["2026-01-02 Fix the store 11111111.md", `${ids[1]}.json`]);
    assert.equal(
      await readFile(join(to, "2026-01-02 Fix the store 11111111.md"), "utf8"),
      "# Fix: the/store\n\nteam, 2026-01-02T03:04:05Z\n\n## You\n\nWhy?\n\n- a.ts\n\nBecause.\n\n### Run (completed)\n\n````\n```\n````\n\n```\nout\n```\n",
    );
    assert.equal(await readFile(join(to, `${ids[1]}.json`), "utf8"), "{ broken");
    await assert.rejects(readdir(from), { code: "ENOENT" });
    assert.equal(await saveOldChats(from, to), 0);
  }));
