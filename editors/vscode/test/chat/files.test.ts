import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { test } from "node:test";

import type { TerminalExitStatus } from "@agentclientprotocol/sdk";

import { Terminals, type RunningTerminal } from "../../src/chat/terminals.js";
import { Desk, standIn } from "./desk.js";

const asking = { agent: standIn("full", "asks"), files: { "a.txt": "one\ntwo\nthree\n" } };

/** Returns the agent's response for each request. */
async function ask(desk: Desk, ...requests: [method: string, params: object][]): Promise<unknown[]> {
  const before = desk.view.text.length;
  await desk.prompt(requests.map((r) => JSON.stringify(r)).join("\n"));
  return desk.view.text.slice(before).trim().split("\n").map((line) => JSON.parse(line) as unknown);
}

test("the agent can read unsaved text, and any part of it", () =>
  Desk.use(asking, async (desk) => {
    const path = desk.path("a.txt");
    desk.editor.buffers.set(path, "not\nsaved\nyet");
    const read = (more: object): [string, object] => ["fs/read_text_file", { path, ...more }];
    const answers = await ask(desk, read({}), read({ line: 2 }), read({ line: 2, limit: 1 }), read({ limit: 0 }), read({ line: 9 }));
    assert.deepEqual(answers.map((a) => (a as { content: string }).content), ["not\nsaved\nyet", "saved\nyet", "saved\n", "", ""]);
  }));

test("files outside of the workspace are neither read nor written, wherever links lead", () =>
  Desk.use(asking, async (desk) => {
    const outside = `${desk.folder}/outside`;
    await mkdir(outside);
    await writeFile(`${outside}/secret.txt`, "secret");
    await symlink(outside, desk.path("link"));
    await symlink(`${outside}/yet to be made`, desk.path("dangling"));
    const paths = [`${outside}/secret.txt`, desk.path("../outside/secret.txt"), desk.path("link/secret.txt"), desk.path("link/new/file"), desk.path("dangling"), "a.txt", `${desk.path("")}work/../../outside/secret.txt`];
    const answers = await ask(
      desk,
      ...paths.map((path): [string, object] => ["fs/read_text_file", { path }]),
      ...paths.map((path): [string, object] => ["fs/write_text_file", { path, content: "mine" }]),
    );
    for (const a of answers) assert.ok((a as { error?: unknown }).error, JSON.stringify(a));
    assert.equal(await readFile(`${outside}/secret.txt`, "utf8"), "secret");
  }));

test("links combined with `..` cannot leave the workspace", () =>
  Desk.use(asking, async (desk) => {
    await writeFile(`${desk.folder}/secret.txt`, "secret");
    await mkdir(desk.path("a/b/c"), { recursive: true });
    await symlink(desk.path("a/b/c"), desk.path("deep"));
    await symlink(desk.path(""), desk.path("a/b/top"));
    await symlink("../made.txt", desk.path("sibling"));
    await symlink("a/b/top/../made.txt", desk.path("winding"));
    await writeFile(desk.path("a/secret.txt"), "mine");
    // An editor removes `..` before it follows links, and a disk afterwards.
    const [read] = await ask(desk, ["fs/read_text_file", { path: `${desk.path("deep")}/../../secret.txt` }]);
    assert.ok((read as { error?: unknown }).error, JSON.stringify(read));
    const written = ["a/b/top/sibling", "winding", "winding/"].map((name): [string, object] => ["fs/write_text_file", { path: desk.path(".") + "/" + name, content: "x" }]);
    for (const a of await ask(desk, ...written)) assert.ok((a as { error?: unknown }).error, JSON.stringify(a));
    await assert.rejects(readFile(`${desk.folder}/made.txt`), "it was written outside");
  }));

test("the editor gets the same path that was checked", () =>
  Desk.use(asking, async (desk) => {
    desk.editor.buffers.set(desk.path("a.txt"), "not saved");
    const [read] = await ask(desk, ["fs/read_text_file", { path: `${desk.path(".")}/nowhere/../a.txt` }]);
    assert.deepEqual(read, { content: "not saved" });
  }));

test("a missing file is reported, and another session's requests are refused", () =>
  Desk.use(asking, async (desk) => {
    const [missing, foreign] = await ask(desk, ["fs/read_text_file", { path: desk.path("no.txt") }], ["fs/read_text_file", { sessionId: "other", path: desk.path("a.txt") }]);
    const [asked] = await ask(desk, ["elicitation/create", { sessionId: "other", mode: "form", message: "Which?", requestedSchema: { type: "object", properties: {} } }]);
    assert.equal((asked as { error: { code: number } }).error.code, -32002);
    assert.equal((missing as { error: { code: number } }).error.code, -32002);
    assert.equal((foreign as { error: { code: number } }).error.code, -32002);
  }));

test("a terminal runs a command in the workspace, and tells how it ended", () =>
  Desk.use(asking, async (desk) => {
    const args = ["-e", "console.log(process.env.GREETING); console.error('err'); process.exit(3)"];
    const [, exit, output, released] = await ask(desk, ["terminal/create", { command: process.execPath, args, env: [{ name: "GREETING", value: "hello" }] }]);
    assert.deepEqual(exit, { exitCode: 3, signal: null });
    const { output: text, truncated, exitStatus } = output as { output: string; truncated: boolean; exitStatus: unknown };
    assert.deepEqual([text.includes("hello\n"), text.includes("err\n"), truncated, exitStatus], [true, true, false, { exitCode: 3, signal: null }]);
    assert.ok((released as { error?: unknown }).error, "a released terminal is still there");
    const [content] = desk.view.calls[0]?.content ?? [];
    assert.ok(content?.type === "terminal" && content.text.includes("hello\n") && content.exitCode === 3);
    assert.equal(desk.editor.terminals.length, 1);
  }));

test("a terminal keeps the last whole characters of its limit", () =>
  Desk.use(asking, async (desk) => {
    const args = ["-e", "process.stdout.write('x'.repeat(100000) + '€€€')"];
    const [, , output] = await ask(desk, ["terminal/create", { command: process.execPath, args, outputByteLimit: 8 }]);
    assert.deepEqual([(output as { output: string }).output, (output as { truncated: boolean }).truncated], ["€€", true]);
  }));

test("a terminal whose command is not there, or whose folder is outside, is refused", () =>
  Desk.use(asking, async (desk) => {
    const answers = await ask(desk, ["terminal/create", { command: "/nowhere/program", args: ["x"] }], ["terminal/create", { command: "ls", cwd: "/" }], ["terminal/kill", { terminalId: "none" }]);
    for (const a of answers) assert.ok((a as { error?: unknown }).error, JSON.stringify(a));
  }));

test("an agent that begins no session leaves no terminal behind", () =>
  Desk.use({ agent: standIn("bad", "begins a terminal and no session") }, async (desk) => {
    const [terminal] = desk.editor.terminals;
    assert.ok(terminal);
    const { signal } = await new Promise<TerminalExitStatus>((resolve) => terminal.onExit(resolve));
    assert.equal(signal, "SIGKILL");
  }));

test("a terminal that starts too late is ended and not shown", async () => {
  const shown: RunningTerminal[] = [];
  const terminals = new Terminals((terminal) => void shown.push(terminal));
  const gone = new AbortController();
  const created = terminals.create({ sessionId: "s", command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] }, ".", gone.signal);
  gone.abort();
  await assert.rejects(created, { name: "AbortError" });
  assert.deepEqual(shown, []);
  // A child left running would also keep this test's process alive.
});

test("attachments are embedded if the agent accepts that, and otherwise named", async () => {
  for (const how of [[], ["links"]]) {
    await Desk.use({ agent: standIn("full", "echo", ...how), files: { "a.txt": "one\ntwo\nthree\n" } }, async (desk) => {
      const uri = pathToFileURL(desk.path("a.txt")).href;
      const attachments = [
        { kind: "file" as const, label: "a.txt", uri },
        { kind: "selection" as const, label: "a.txt:2-3", uri: `${uri}#L2-L3` },
        { kind: "image" as const, label: "dot.png", uri: "", data: "data:image/png;base64,iVBORw0KGgo=" },
      ];
      await desk.say({ type: "prompt", text: "look", attachments });
      const [text, ...blocks] = desk.view.text.split("|");
      assert.equal(text, "look");
      const [file, selection, image] = blocks.map((b) => JSON.parse(b) as { type: string; uri?: string; resource?: { text: string; uri: string } });
      if (how.length === 0) {
        assert.equal(file?.resource?.text, "one\ntwo\nthree\n");
        assert.deepEqual(selection?.resource, { uri: `${uri}#L2-L3`, text: "two\nthree\n", mimeType: "text/plain" });
      } else {
        assert.deepEqual([file?.type, file?.uri, selection?.uri], ["resource_link", uri, `${uri}#L2-L3`]);
      }
      assert.deepEqual(image, { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" });
    });
  }
});

test("only files of the workspace are sent", () =>
  Desk.use({ agent: standIn("full", "echo") }, async (desk) => {
    for (const uri of ["file:///etc/passwd", "https://example.com/x", "no uri", "file:///%00"]) {
      await desk.say({ type: "prompt", text: "look", attachments: [{ kind: "file", label: "x", uri }] });
    }
    assert.equal(desk.view.text, "");
    assert.equal(desk.view.all("notice").filter((n) => n.severity === "error").length, 4);
  }));
