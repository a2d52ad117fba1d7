/** The chat on a session of `turnwire serve`, with windows that close and reopen. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { leaveBrowser } from "../browser.js";
import { Server } from "./server.js";
import { Window } from "./window.js";

let serve: ChildProcess;
let server: Server;

before(async () => {
  const socket = join(await mkdtemp(join(tmpdir(), "turnwire-serve-")), "s");
  serve = spawn(process.env["TURNWIRE_BINARY"]!, ["serve", "--socket", socket], { stdio: ["ignore", "ignore", "pipe"] });
  await once(serve.stderr!, "data"); // it reports that it is serving
  const args = ["acp", `--server=${socket}`];
  server = await Server.start({ "turnwire.agents": { Served: { args } }, "turnwire.agent": "Served" });
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
  const ended = once(serve, "exit");
  serve.kill("SIGTERM");
  await ended;
});

test("a turn outlives its window, and the next window answers its requests", async () => {
  const folder = await server.workspace("served", { "notes.txt": "one\n" });
  let window = await Window.open(server, folder);
  try {
    await window.newChat();
    await window.say("/think Let me see.\n/append notes.txt two");
    await window.chat.getByRole("button", { name: /^Allow/ }).waitFor();
    await window.close();
    window = await Window.open(server, folder);
    await window.openChat();
    await window.chat.getByRole("button", { name: /^Allow/ }).click();
    await window.said("All done");
    assert.equal(await readFile(join(folder, "notes.txt"), "utf8"), "one\ntwo\n");
    await window.picture("answered in another window");
  } catch (error) {
    await window.picture("failed served");
    throw error;
  }
});
