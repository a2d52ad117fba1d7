// An editor that uses the sessions of a server on its machine: turnwire acp
// --server, with the official client. Everything works as with its own agent, and
// the next editor finds what an earlier one left.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";

import { Editor } from "./editor.mjs";
import { turnsOver } from "./over.mjs";

const binary = process.env.TURNWIRE_BINARY;

describe("the official client before turnwire acp --server", () => {
  let dir, child, exited, args;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), "tw-"));
    const socket = process.platform === "win32" ? `\\\\.\\pipe\\turnwire-conformance-${process.pid}` : join(dir, "s");
    child = spawn(binary, ["serve", "--socket", socket], { stdio: ["ignore", "ignore", "pipe"] });
    exited = new Promise((resolve) => child.on("close", (code) => resolve(code)));
    await new Promise((resolve, reject) => {
      createInterface({ input: child.stderr }).once("line", resolve);
      exited.then((code) => reject(new Error(`turnwire serve has ended: ${code}`)));
    });
    args = ["acp", `--server=${socket}`];
  });
  after(async () => {
    child.kill("SIGTERM");
    const code = await exited;
    await rm(dir, { recursive: true, force: true });
    if (process.platform !== "win32") assert.equal(code, 0);
  });

  turnsOver("--server", () => ({ args }));

  test("an editor that is killed leaves its session to the next one", async () => {
    const killed = spawn(binary, args, { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: killed.stdout })[Symbol.asyncIterator]();
    const say = (id, method, params) => killed.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    const answer = async (id) => {
      for (;;) {
        const message = JSON.parse((await lines.next()).value);
        if (message.id === id && !message.method) return message.result;
      }
    };
    say(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
    await answer(1);
    say(2, "session/new", { cwd: dir, mcpServers: [] });
    const { sessionId } = await answer(2);
    say(3, "session/prompt", { sessionId, prompt: [{ type: "text", text: "/say what it has asked" }] });
    await answer(3);
    killed.kill("SIGKILL");
    await Editor.use({ args, load: sessionId }, async (next) => {
      assert.equal(next.loaded.text("user_message_chunk"), "/say what it has asked");
      assert.match(next.loaded.text(), /^what it has asked/);
      assert.match((await next.prompt("/say and more")).text(), /and more/);
    });
  });
});
