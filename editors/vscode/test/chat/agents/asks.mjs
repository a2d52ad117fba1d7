// A stand-in that does what its prompt says, word by word, and stores no
// sessions:
//   may      asks for permission
//   form     asks with a form
//   call     asks with a form, from a tool call
//   wait     waits for a cancel
//   fail     fails
//   long     stops because its answer became too long

import { listen, say, send, update } from "./line.mjs";

const waiting = new Map();
let next = 0;
let cancelled = () => {};

const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `ask-${++next}`;
    waiting.set(id, ({ result }) => resolve(result));
    send({ id, method, params: { sessionId: "s", ...params } });
  });

const schema = {
  type: "object",
  required: ["leaf"],
  properties: {
    leaf: { type: "string", title: "Leaf", oneOf: [{ const: "a", title: "Assam" }, { const: "c", title: "Ceylon" }] },
    cups: { type: "integer", title: "Cups" },
  },
};
const form = (more = {}) => ask("elicitation/create", { mode: "form", message: "Which tea?", requestedSchema: schema, ...more });

const does = {
  async may() {
    const toolCallId = `call-${++next}`;
    update({ sessionUpdate: "tool_call", toolCallId, title: "Deploy", kind: "execute", status: "pending" });
    const { outcome } = await ask("session/request_permission", {
      toolCall: { toolCallId },
      options: [
        { optionId: "dry", name: "Allow as a dry run", kind: "allow_once" },
        { optionId: "all", name: "Always allow deploys", kind: "allow_always" },
        { optionId: "no", name: "No, never on a Friday", kind: "reject_once" },
      ],
    });
    const allowed = outcome.optionId === "dry" || outcome.optionId === "all";
    update({ sessionUpdate: "tool_call_update", toolCallId, status: allowed ? "completed" : "failed" });
  },
  form,
  async call() {
    const toolCallId = `call-${++next}`;
    update({ sessionUpdate: "tool_call", toolCallId, title: "Make tea", kind: "other", status: "in_progress" });
    await form({ toolCallId });
    update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
  },
  async wait() {
    update({ sessionUpdate: "tool_call", toolCallId: `call-${++next}`, title: "Wait", kind: "other", status: "in_progress" });
    await new Promise((resolve) => (cancelled = resolve));
    return { result: { stopReason: "cancelled" } };
  },
  fail: async () => ({ error: { code: -32603, message: "Internal error", data: { details: "The kettle is empty." } } }),
  long: async () => ({ result: { stopReason: "max_tokens" } }),
};

listen({
  async "session/prompt"({ id, params }) {
    const word = params.prompt[0].text;
    say(`To ${word}: `);
    const end = await does[word]();
    if (end?.error || end?.result) return send({ id, ...end });
    say("done.");
    send({ id, result: { stopReason: "end_turn" } });
  },
  "session/cancel": () => cancelled(),
  answer: (message) => waiting.get(message.id)?.(message),
});
