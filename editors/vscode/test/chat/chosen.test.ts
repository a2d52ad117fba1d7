import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { Desk, standIn, turnwire } from "./desk.js";

const current = (desk: Desk, id: string): unknown => desk.view.session.options.find((option) => option.id === id)?.current;
const modes = standIn("full", "modes");
const options = standIn("full", "options");
const choose = (desk: Desk, optionId: string, value: string): Promise<void> => desk.say({ type: "setOption", optionId, value });

test("the chosen mode and model are restored in a new chat and after a reload", () =>
  Desk.use({ agents: { options, modes } }, async (desk) => {
    await choose(desk, "model", "b");
    await desk.reload();
    await desk.view.until(() => current(desk, "model") === "b");
    // Nothing is known about another agent.
    await desk.host.newSession("modes");
    await desk.view.until(() => current(desk, "mode") === "ask");
    await choose(desk, "mode", "code");
    await desk.host.newSession("modes");
    await desk.view.until(() => desk.view.session.status === "idle" && current(desk, "mode") === "code");
    await desk.host.newSession("options");
    await desk.view.until(() => current(desk, "model") === "b");
  }));

test("a reloaded chat has the chosen mode", () =>
  Desk.use({ agent: turnwire }, async (desk) => {
    const mode = desk.view.session.options.find(({ category }) => category === "mode") ?? assert.fail();
    const other = mode.choices.find(({ value }) => value !== mode.current) ?? assert.fail();
    await choose(desk, mode.id, other.value);
    await desk.prompt("/say Hello.");
    await desk.reload();
    assert.match(desk.view.text, /Hello/);
    await desk.view.until(() => current(desk, mode.id) === other.value);
  }));

test("a mode that the agent set itself is not restored", () =>
  Desk.use({ agent: modes }, async (desk) => {
    await choose(desk, "mode", "code");
    await desk.prompt("go");
    assert.equal(current(desk, "mode"), "ask");
    const before = desk.traffic.length;
    await desk.host.newSession();
    await desk.host.conversation.started();
    assert.ok(!desk.traffic.slice(before).some((line) => line.includes("set_mode")));
  }));

test("remembered choices may be invalid", () =>
  Desk.use({ agent: modes }, async (desk) => {
    const file = join(desk.folder, "storage", "chosen.json");
    await choose(desk, "mode", "code");
    assert.deepEqual(JSON.parse(await readFile(file, "utf8")), [["workspace", [["mode", "code"]]]]);
    for (const broken of ["{ broken", "7", '[["workspace",[["mode","gone"],7,["mode",{}]]],7,["__proto__",[["polluted",true]]]]']) {
      await writeFile(file, broken);
      await desk.reload();
      assert.equal(current(desk, "mode"), "ask");
      assert.deepEqual(desk.view.all("notice"), []);
    }
  }));
