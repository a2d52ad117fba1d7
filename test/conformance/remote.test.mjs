// ACP's remote transport, with the official library at the other end: its client
// with Turnwire's server, and Turnwire's client with its server, over WebSocket
// and over HTTP.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { Editor, contentText } from "./editor.mjs";
import { samplesOver, turnsOver } from "./over.mjs";
import { Official, Turnwire } from "./remote.mjs";

const kinds = ["websocket", "http"];

describe("the official client before Turnwire", () => {
  let server;
  before(async () => (server = await Turnwire.start()));
  after(() => server.stop());

  for (const kind of kinds) {
    turnsOver(kind, () => ({ connect: () => server.stream(kind) }));

    test(`${kind}: without a valid token nothing is sent`, () =>
      assert.rejects(Editor.open({ connect: () => server.stream(kind, "tw_wrong") })));
  }

  test("both transports carry the same messages", async () => {
    const heard = [];
    for (const kind of kinds) {
      await Editor.use({ connect: () => server.stream(kind), files: { "a.txt": "alpha\n" } }, async (editor) => {
        const turn = await editor.prompt("/read a.txt");
        heard.push([turn.stopReason, turn.text(), contentText(turn.tools()[0])]);
      });
    }
    assert.deepEqual(heard[0].map((s) => s.replace(/\d+ ms/g, "")), heard[1].map((s) => s.replace(/\d+ ms/g, "")));
  });
});

describe("Turnwire before the official server", () => {
  let server;
  before(async () => (server = await Official.start()));
  after(() => server.stop());

  for (const kind of kinds) {
    samplesOver(kind, (command) => {
      server.launch = command;
      return server.urls[kind];
    });
  }
});
