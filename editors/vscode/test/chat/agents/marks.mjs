// A stand-in for an agent with modes and a command. It creates the file that its
// argument names when its session begins.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { listen, say, send, update } from "./line.mjs";

const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }, { id: "code", name: "Code" }] };
listen({
  "session/new": ({ id, params }) => {
    writeFileSync(join(params.cwd, process.argv[2]), "");
    send({ id, result: { sessionId: "s", modes } });
    update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "look", description: "Look around" }] });
  },
  "session/set_mode": ({ id }) => send({ id, result: {} }),
  "session/prompt": ({ id }) => {
    say("Yes.");
    send({ id, result: { stopReason: "end_turn" } });
  },
});
