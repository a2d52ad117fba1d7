// Checks the golden files, which promise lines to editors, against the official
// schema and Turnwire's own. Input may be wrong on purpose; output may not.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { faults as ownFaults } from "./own.mjs";
import { faults } from "./schema.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The golden files below a folder. Doesn't follow links: those of installed programs form cycles. */
function* below(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* below(path);
    else if (entry.isFile() && path.endsWith(".txtar")) yield path;
  }
}

const definitions = {
  "session/update": "SessionNotification",
  "session/request_permission": "RequestPermissionRequest",
  "elicitation/create": "CreateElicitationRequest",
};

/** Updates that only a draft has. Clients that don't ask for them don't get them. */
const drafts = ["cursor_update"];

test("every golden ACP line matches the schemas", () => {
  let checked = 0;
  for (const path of below(root)) {
    let section = "";
    for (const line of readFileSync(path, "utf8").split("\n")) {
      section = /^-- (.+) --$/.exec(line)?.[1] ?? section;
      if (section === "in") continue; // an agent's output, which may itself be ACP
      if (!line.startsWith('{"jsonrpc"')) continue;
      const message = JSON.parse(line);
      const definition = definitions[message.method];
      if (!definition) continue;
      const isDraft = drafts.includes(message.params?.update?.sessionUpdate);
      const found = [...(isDraft ? [] : faults(definition, message.params)), ...ownFaults("acp-v1", message)];
      assert.deepEqual(found, [], `${relative(root, path)}: ${line}`);
      checked++;
    }
  }
  assert.ok(checked > 0, "no golden file has a line of ACP in it");
});
