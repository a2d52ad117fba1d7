// ACP's remote transport, with the official crate at the other end: its client
// with Turnwire's server, and Turnwire's client with its server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, describe } from "node:test";

import { samplesOver, turnsOver } from "../conformance/over.mjs";
import { Turnwire } from "../conformance/remote.mjs";

const peer = process.env.TURNWIRE_PEER;
assert.ok(peer, "TURNWIRE_PEER must name the program of test/peers/rust");
const kinds = ["websocket", "http"];

describe("the crate's client before Turnwire", () => {
  let server;
  before(async () => (server = await Turnwire.start()));
  after(() => server.stop());
  for (const kind of kinds) {
    turnsOver(kind, () => ({ program: peer, args: ["client", server.urls[kind]], env: { TOKEN: server.token } }));
  }
});

describe("Turnwire before the crate's server", () => {
  const started = [];
  after(async () => {
    for (const child of started) {
      child.stdin.end();
      const [code] = await once(child, "close");
      assert.equal(code, 0);
    }
  });
  for (const kind of kinds) {
    samplesOver(kind, async (command) => {
      const child = spawn(peer, ["server", ...command], { stdio: ["pipe", "pipe", "inherit"] });
      started.push(child);
      const [address] = await once(createInterface({ input: child.stdout }), "line");
      return `${kind === "http" ? "http" : "ws"}://${address}/acp`;
    });
  }
});
