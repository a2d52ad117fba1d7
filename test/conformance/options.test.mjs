// Choosing options and modes, before the first prompt and during a turn, with
// the embedded agent and with an external one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Editor } from "./editor.mjs";
import { editors } from "./editors.mjs";

const binary = process.env.TURNWIRE_BINARY;
const agents = {
  "the workspace agent": { args: ["acp"], known: true },
  "an agent behind Turnwire": { args: ["acp", "--agent", "acp", "--", binary, "acp"] },
};

// mode finds the mode in a list of options.
const mode = (configOptions) => configOptions?.find((o) => o.category === "mode");

// ready resolves with the mode as soon as it is known.
async function ready(editor) {
  const known = mode(editor.session.configOptions);
  if (known) return known;
  const { message } = await editor.transcript.when((e) => mode(e.message.params?.update?.configOptions));
  return mode(message.params.update.configOptions);
}

const setOption = (editor, value, configId = "mode") =>
  editor.request("session/set_config_option", { sessionId: editor.sessionId, configId, value });
const setMode = (editor, modeId) => editor.request("session/set_mode", { sessionId: editor.sessionId, modeId });

// since returns the updates from index on.
const since = (editor, index) => editor.transcript.entries.slice(index).flatMap((e) => e.message.params?.update ?? []);

for (const [who, { args, known }] of Object.entries(agents)) {
  function scenario(name, run) {
    for (const [kind, capabilities] of Object.entries(editors)) {
      test(`${name}, by ${who}, in ${kind}`, { timeout: 60_000 }, () => Editor.use({ capabilities, args, files: { "a.txt": "a\n" } }, run));
    }
  }

  scenario("the mode is offered before the first prompt", async (editor) => {
    const { id, name, type, currentValue, options } = await ready(editor);
    assert.deepEqual([id, name, type, currentValue], ["mode", "Mode", "select", "ask"]);
    assert.deepEqual(options.map((o) => o.value), ["ask", "read-only"]);
    if (!known) return;
    assert.equal(editor.session.modes.currentModeId, "ask");
    assert.deepEqual(editor.session.modes.availableModes.map((m) => m.id), ["ask", "read-only"]);
  });

  scenario("a mode that is chosen as an option is told in both ways, and heeded", async (editor) => {
    await ready(editor);
    const start = editor.transcript.entries.length;
    const { configOptions } = await setOption(editor, "read-only");
    assert.equal(mode(configOptions).currentValue, "read-only");
    const updates = since(editor, start);
    assert.ok(updates.some((u) => u.currentModeId === "read-only"), "no current_mode_update");
    assert.equal(mode(updates.findLast((u) => u.configOptions).configOptions).currentValue, "read-only");

    editor.onPermission = () => assert.fail("nobody is asked in a mode that permits nothing");
    const turn = await editor.prompt("/write b.txt hello\n/read a.txt");
    const [write, read] = turn.tools();
    assert.equal(write.status, "failed");
    assert.match(JSON.stringify(write.content), /the mode is read-only/);
    assert.equal(read.status, "completed");
    await assert.rejects(editor.read("b.txt"));
  });

  scenario("a mode that is chosen as a mode can be taken back", async (editor) => {
    await ready(editor);
    for (const id of ["read-only", "ask"]) {
      const start = editor.transcript.entries.length;
      await setMode(editor, id);
      const updates = since(editor, start);
      assert.ok(updates.some((u) => u.currentModeId === id), "no current_mode_update");
      assert.equal(mode(updates.findLast((u) => u.configOptions).configOptions).currentValue, id);
    }
    editor.onPermission = () => ({ outcome: { outcome: "selected", optionId: "allow_once" } });
    await editor.prompt("/write b.txt hello");
    assert.equal(await editor.read("b.txt"), "hello");
  });

  scenario("a mode can be chosen in the middle of a turn", async (editor) => {
    await ready(editor);
    const prompt = editor.prompt("/wait 50\n/write late.txt too late");
    await editor.seen((u) => u.status === "in_progress");
    assert.equal(mode((await setOption(editor, "read-only")).configOptions).currentValue, "read-only");
    await editor.cancel();
    assert.equal((await prompt).stopReason, "cancelled");
    editor.onPermission = () => assert.fail("nobody is asked");
    assert.equal((await editor.prompt("/run echo hello")).tools()[0].status, "failed", "the mode holds in the next turn");
  });

  scenario("what was not offered is refused, and nothing changes", async (editor) => {
    await ready(editor);
    for (const choice of [() => setOption(editor, "sudo"), () => setOption(editor, "ask", "nothing"), () => setMode(editor, "sudo")]) {
      await assert.rejects(choice(), (err) => {
        assert.equal(err.code, -32602, err.message);
        return true;
      });
    }
    assert.equal(mode((await setOption(editor, "ask")).configOptions).currentValue, "ask");
  });
}

// Options of any other kind, for an agent that prints lines.
const lines = ["acp", "--", process.execPath, fileURLToPath(new URL("options-agent.mjs", import.meta.url))];
for (const [who, args] of Object.entries({ "a native agent": lines, "one behind Turnwire": ["acp", "--agent", "acp", "--", binary, ...lines] })) {
  for (const [kind, capabilities] of Object.entries(editors)) {
    test(`groups and booleans are chosen, and a refusal is an error, by ${who}, in ${kind}`, { timeout: 60_000 }, () =>
      Editor.use({ capabilities, args }, async (editor) => {
        assert.match((await editor.prompt("go")).text(), /green-1/);
        const offered = editor.transcript.entries.findLast((e) => e.message.params?.update?.configOptions).message.params.update.configOptions;
        assert.deepEqual(offered.map((o) => o.id), ["leaf", "loud"]);
        assert.deepEqual(offered[0].options.map((g) => [g.group, g.options.map((c) => c.value)]), [
          ["green", ["green-1", "green-2"]],
          ["black", ["black-1", "silence"]],
        ]);
        const booleans = capabilities.session?.configOptions?.boolean !== undefined;
        assert.equal(offered[1].type, booleans ? "boolean" : "select");

        await setOption(editor, "black-1", "leaf");
        const loud = booleans ? { configId: "loud", type: "boolean", value: true } : { configId: "loud", value: "on" };
        const { configOptions } = await editor.request("session/set_config_option", { sessionId: editor.sessionId, ...loud });
        assert.deepEqual(configOptions.map((o) => o.currentValue), ["black-1", booleans ? true : "on"]);
        await assert.rejects(setOption(editor, "silence", "leaf"), (err) => {
          assert.match(err.data.details, /never/);
          return true;
        });
        assert.match((await editor.prompt("go")).text(), /"leaf":"black-1","loud":true/);
      }));
  }
}
