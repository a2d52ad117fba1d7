// A stand-in for an agent that changes files itself. Its prompt is a list of
// [HOW, PATH, OLD, NEW], as JSON: it replaces OLD by NEW in that file and reports
// this
//   seen     before the change, asking for permission
//   told     after the change
//   claims   without making the change

import { readFileSync, writeFileSync } from "node:fs";
import { listen, send, update } from "./line.mjs";

const options = [{ optionId: "yes", name: "Allow", kind: "allow_once" }];
let next = 0;
const waiting = new Map();

function asks(toolCallId) {
  const id = `r${++next}`;
  send({ id, method: "session/request_permission", params: { sessionId: "s", toolCall: { toolCallId }, options } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

listen({
  answer: ({ id }) => waiting.get(id)?.(),
  "session/prompt": async ({ id, params }) => {
    for (const [how, path, oldText, newText] of JSON.parse(params.prompt[0].text)) {
      const toolCallId = `call ${++next}`;
      const call = { toolCallId, title: "Edit", kind: "edit", content: [{ type: "diff", path, oldText, newText }] };
      if (how === "seen") {
        update({ sessionUpdate: "tool_call", status: "pending", ...call });
        await asks(toolCallId);
      }
      if (how !== "claims") writeFileSync(path, readFileSync(path, "utf8").replace(oldText, newText));
      update({ sessionUpdate: how === "seen" ? "tool_call_update" : "tool_call", ...call, status: "completed" });
    }
    send({ id, result: { stopReason: "end_turn" } });
  },
});
