/** A reloaded chat shows the same as the live one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Item } from "../../src/shared/model.js";
import { decisionOf, hasDuration, stateOf } from "../../src/webview/chat/toolStates.js";
import { Desk, standIn, turnwire } from "./desk.js";

/**
 * Returns what the view shows of an item. The journal doesn't contain a
 * thought's duration, and only the agent's messages about a call.
 */
function shown(item: Item): unknown {
  switch (item.type) {
    case "tool": {
      const { id: _, started: _s, ended: _e, decision: _d, refused: _r, status: _t, ...rest } = item;
      const content = rest.content.map((part) => (part.type === "terminal" ? { ...part, terminalId: "" } : part));
      return { ...rest, content, state: stateOf(item).word, decision: decisionOf(item), timed: hasDuration(item) };
    }
    case "question":
      return { type: item.type, message: item.message, answer: item.answer };
    case "thought":
      return { type: item.type, text: item.text };
    case "changes":
      return { type: item.type, files: item.files };
    case "notice": {
      const { id: _, retry: _r, fixes: _c, ...rest } = item;
      return rest;
    }
    default: {
      const { id: _, ...rest } = item;
      return rest;
    }
  }
}

const asJSON = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function question(desk: Desk): Promise<string> {
  const asks = () => desk.view.all("question").find(({ answer }) => answer === undefined);
  await desk.view.until(asks);
  return asks()?.id ?? assert.fail();
}

test("a chat of Turnwire's own is loaded again as it was", () =>
  Desk.use({ files: { "notes.txt": "one\n" } }, async (desk) => {
    await desk.prompt("/think Well.\n/plan A; B\n/say One.\n/read notes.txt\n/append notes.txt two", "allow_once");
    await desk.prompt("/write made.txt new", "reject_once");
    await desk.prompt("/run echo hello", "allow_always");
    await desk.prompt("/run echo hello");
    await desk.prompt("/fail It broke.");
    for (const [text, answer] of [["/ask Which? | Red | Green", "Green"], ["/ask Why?", "Because."], ["/ask Really?", undefined]] as const) {
      const turn = desk.prompt(text);
      const id = await question(desk);
      await desk.say(answer === undefined ? { type: "decline", questionId: id } : { type: "answer", questionId: id, values: { answer } });
      await turn;
    }
    for (const text of ["/say Before.\n/wait 1000", "/write made.txt new", "/ask Ever? | Yes | No"]) {
      const turn = desk.prompt(text);
      if (text.startsWith("/say")) await desk.view.until(() => desk.view.text.endsWith("Before."));
      if (text.startsWith("/write")) await desk.view.asks();
      if (text.startsWith("/ask")) await question(desk);
      await desk.say({ type: "cancel" });
      await turn;
    }
    await desk.prompt("/say The end.");
    const live = desk.view.items.map(shown);
    await desk.reload();
    assert.deepEqual(asJSON(desk.view.items.map(shown)), asJSON(live));
  }));

test("a chat with an ACP agent that keeps none is loaded again as it was", () => {
  const agent = standIn("asks");
  const behind = { ...turnwire, args: ["acp", "--agent", "acp", "--", agent.command, ...agent.args] };
  return Desk.use({ agent: behind }, async (desk) => {
    for (const optionId of ["dry", "all", "no"]) await desk.prompt("may", optionId);
    for (const [word, values] of [["form", { leaf: "c", cups: 2 }], ["call", { leaf: "a" }], ["form", undefined]] as const) {
      const turn = desk.prompt(word);
      const questionId = await question(desk);
      await desk.say(values === undefined ? { type: "decline", questionId } : { type: "answer", questionId, values });
      await turn;
    }
    await desk.prompt("fail");
    await desk.prompt("long");
    for (const word of ["wait", "may"]) {
      const turn = desk.prompt(word);
      if (word === "may") await desk.view.asks();
      else await desk.view.until(() => desk.view.calls.at(-1)?.title === "Wait");
      await desk.say({ type: "cancel" });
      await turn;
    }
    const untimed = (): unknown => asJSON(desk.view.items.map((item) => ({ ...(shown(item) as object), timed: undefined })));
    const live = untimed();
    await desk.reload();
    assert.deepEqual(untimed(), live);
  });
});
