/** An agent that is not installed is added from the ACP registry, after a question. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { leaveBrowser } from "../browser.js";
import { pick } from "../quickInput.js";
import { Server } from "./server.js";
import { Window } from "./window.js";

const agent = join(import.meta.dirname, "../../../test/chat/agents/marks.mjs");
const official = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json";

let server: Server;
let window: Window;

before(async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnwire-add-"));
  // A fresh copy of the registry, so that nothing is downloaded.
  const registry = join(folder, "cache", "turnwire", "registry");
  await mkdir(registry, { recursive: true });
  const entry = { id: "qoder", name: "Qoder CLI", version: "3.2.1", description: "Answers.", distribution: { npx: { package: "@scope/qoder@3.2.1" } } };
  const name = createHash("sha256").update(official).digest("hex").slice(0, 16);
  await writeFile(join(registry, `${name}.json`), JSON.stringify({ version: "1.0.0", agents: [entry] }));
  const npx = join(folder, "npx");
  await writeFile(npx, `#!/bin/sh\nexec '${process.execPath}' '${agent}' started\n`);
  await chmod(npx, 0o755);
  process.env["XDG_CACHE_HOME"] = join(folder, "cache");
  process.env["PATH"] = `${folder}:${process.env["PATH"]}`;
  server = await Server.start();
  window = await Window.open(server, await server.workspace("add", {}));
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

test("an agent that is not installed is added after a question", async () => {
  try {
    await window.openChat();
    const open = (): Promise<void> => window.command("Turnwire: Choose Agent…");
    await open();
    await window.page.locator(".quick-input-list .monaco-list-row", { hasText: "workspace" }).first().waitFor();
    await window.picture("choose an agent");
    await pick(window.page, "Qoder", open, "qoder");
    const dialog = window.page.locator(".monaco-dialog-box");
    await dialog.getByText("npx --yes @scope/qoder@3.2.1").waitFor();
    await window.picture("add an agent");
    await dialog.getByRole("button", { name: "Add" }).click();
    await window.chat.getByRole("heading", { name: /^Chat with qoder/ }).waitFor();
    const written = await readFile(join(server.data, "../config/turnwire/turnwire.json"), "utf8");
    assert.match(written, /"qoder": \{/);
    assert.doesNotMatch(written, /"acp": \{/);
  } catch (error) {
    await window.picture("failed: add an agent");
    throw error;
  }
});
