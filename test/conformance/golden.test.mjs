// The golden files promise lines to editors: those are checked too, against the
// official schema and against Turnwire's own. What goes in may be wrong on
// purpose; what comes out may not.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { faults as ownFaults } from "./own.mjs";
import { faults } from "./schema.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const golden = readdirSync(root, { withFileTypes: true })
  .filter((e) => e.isDirectory() && !e.name.startsWith("."))
  .flatMap((e) => readdirSync(join(root, e.name), { recursive: true }).map((name) => join(root, e.name, name)))
  .filter((path) => path.endsWith(".txtar") && !path.includes("node_modules"));

const definitions = {
  "session/update": "SessionNotification",
  "session/request_permission": "RequestPermissionRequest",
  "elicitation/create": "CreateElicitationRequest",
};

test("every golden line of ACP is as the schemas want it", () => {
  let checked = 0;
  for (const path of golden) {
    let section = "";
    for (const line of readFileSync(path, "utf8").split("\n")) {
      section = /^-- (.+) --$/.exec(line)?.[1] ?? section;
      if (section === "in") continue; // what an agent says, which may itself speak ACP
      if (!line.startsWith('{"jsonrpc"')) continue;
      const message = JSON.parse(line);
      const definition = definitions[message.method];
      if (!definition) continue;
      const found = [...faults(definition, message.params), ...ownFaults("acp-v1", message)];
      assert.deepEqual(found, [], `${relative(root, path)}: ${line}`);
      checked++;
    }
  }
  assert.ok(checked > 0, "no golden file has a line of ACP in it");
});
