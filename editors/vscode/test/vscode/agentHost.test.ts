/** Agents in VS Code's own chat. The tests' VS Code is older, so an extension provides its setting. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { leaveBrowser } from "../browser.js";
import { eventually } from "../patience.js";
import { Server } from "./server.js";
import { Window } from "./window.js";

const run = promisify(execFile);
const show = "Turnwire: Show Your Agents in VS Code's Own Chat…";
const hide = "Turnwire: Hide Your Agents from VS Code's Own Chat";

const hosts = {
  name: "hosts",
  publisher: "test",
  version: "1.0.0",
  engines: { vscode: "*" },
  contributes: {
    configuration: {
      properties: {
        "chat.remoteAgentHosts": { type: "array", default: [] },
        "chat.remoteAgentHostsEnabled": { type: "boolean", default: false },
        "settingsSync.ignoredSettings": { type: "array", default: [] }, // code-server has no Settings Sync
      },
    },
  },
};

let server: Server;

before(async () => {
  server = await Server.start({}, [hosts]);
});

after(async () => {
  await leaveBrowser();
  const socket = server && join(server.data, "User/globalStorage/turnwire.turnwire/serve/serve.sock");
  if (socket && existsSync(socket)) await run(process.env["TURNWIRE_BINARY"]!, ["stop", "--socket", socket]); // the test failed
  await server?.stop();
});

interface Told {
  "chat.remoteAgentHosts"?: { name: string; address: string; connectionToken: string }[];
  "chat.remoteAgentHostsEnabled"?: boolean;
  "settingsSync.ignoredSettings"?: string[];
}

/**
 * Returns the user settings, or undefined while VS Code writes them: it empties
 * the file first.
 */
async function written(): Promise<Told | undefined> {
  const text = await readFile(join(server.data, "User/settings.json"), "utf8");
  try {
    return JSON.parse(text) as Told;
  } catch {
    return undefined;
  }
}

/** Waits until the user settings match. */
async function told(is: (settings: Told) => boolean): Promise<Told> {
  let settings: Told | undefined;
  return eventually(async () => {
    settings = await written();
    return settings && is(settings) ? settings : undefined;
  }, () => JSON.stringify(settings));
}

/** Returns a host's response to a request with a token, without a WebSocket. */
async function answer(address: string, token: string): Promise<number> {
  const { status } = await fetch(`${address.replace("ws:", "http:")}?tkn=${token}`).catch(() => ({ status: 0 }));
  return status;
}

test("a server starts and stops when the user says so, and is found again", async () => {
  const window = await Window.open(server, await server.workspace("host", {}));
  try {
    await window.command(show);
    const dialog = window.page.locator(".monaco-dialog-box");
    await dialog.getByText("Anyone who can read that token can run commands as you").waitFor();
    await window.picture("own chat asked");
    assert.equal((await told(() => true))["chat.remoteAgentHosts"], undefined);
    await dialog.getByRole("button", { name: "Show Them" }).click();

    const settings = await told((s) => s["chat.remoteAgentHosts"]?.length === 1 && s["chat.remoteAgentHostsEnabled"] === true);
    const [entry] = settings["chat.remoteAgentHosts"]!;
    assert.equal(entry!.name, "Turnwire");
    assert.match(entry!.address, /^ws:\/\/127\.0\.0\.1:\d+\/ahp$/);
    assert.ok(settings["settingsSync.ignoredSettings"]?.includes("chat.remoteAgentHosts"));
    assert.equal(await answer(entry!.address, entry!.connectionToken), 426);
    assert.equal(await answer(entry!.address, "another"), 401);

    await window.reload();
    await window.logged("a server runs at");
    assert.deepEqual((await told(() => true))["chat.remoteAgentHosts"], [entry]);

    await window.command(hide);
    const left = await told((s) => s["chat.remoteAgentHosts"] === undefined);
    assert.equal(left["chat.remoteAgentHosts"], undefined);
    const gone = async (): Promise<true | undefined> => ((await answer(entry!.address, entry!.connectionToken)) === 0 ? true : undefined);
    await eventually(gone, () => `${entry!.address} still answers`);
    const { stdout } = await run(process.env["TURNWIRE_BINARY"]!, ["token", "list"]);
    assert.doesNotMatch(stdout, /-chat/);
  } catch (error) {
    await window.picture("failed own chat");
    throw error;
  }
});
