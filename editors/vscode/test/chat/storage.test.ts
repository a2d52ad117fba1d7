/** The folder that all windows of a workspace share. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

import { workspaceFolder } from "../../src/vscode/storage.js";

const storage = (id: string): string => join("/data", "User", "workspaceStorage", id, "turnwire.turnwire");

test("a window uses its workspace's folder, whichever one VS Code gave it", () => {
  for (const id of ["1a9fe999", "-1a9fe999", "0d3c6b1f5a9be2a41b6c5a0c8f2f4d11", "1764352823000", "-7", "ext-dev", "empty-window"]) {
    assert.equal(workspaceFolder(storage(id)), storage(id));
    for (let number = 1; number <= 9; number++) assert.equal(workspaceFolder(storage(`${id}-${number}`)), storage(id));
  }
});

test("VS Code counts to nine", () => {
  for (const id of ["1a9fe999-0", "1a9fe999-10", "1a9fe999-1a"]) assert.equal(workspaceFolder(storage(id)), storage(id));
});
