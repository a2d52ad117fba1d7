/** An agent's requests in VS Code's own chat. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { world } from "./world.js";

const chatting = world();

chatting("a change is opened as a difference, and made when it is allowed", async ({ chat, path }) => {
  await chat.say("change notes.md");
  await chat.button("View All Changes").click();
  const changes = chat.page.locator(".editor-instance .modified .view-lines, .editor-instance .monaco-diff-editor .view-lines").filter({ hasText: "three" }).first();
  await changes.waitFor();
  await chat.picture("difference");
  assert.equal(readFileSync(path("notes.md"), "utf8"), "one\ntwo\n", "it was written before it was allowed");
  await chat.press("Allow");
  await chat.reads("The answer was allow_once.");
  await chat.idle();
  assert.equal(readFileSync(path("notes.md"), "utf8"), "one\ntwo\nthree\n");
  await chat.picture("changed");
});

chatting("a refused call is not run", async ({ chat, path }) => {
  await chat.say("change notes.md");
  await chat.button(/^Allow/).waitFor();
  await chat.press(/^Skip/);
  await chat.reads(/The answer was reject/);
  await chat.idle();
  assert.equal(readFileSync(path("notes.md"), "utf8"), "one\ntwo\n");
});

chatting("the agent's own options are shown, and the chosen one is returned", async ({ chat, path }) => {
  await chat.say("ask Order tea");
  await chat.button("Yes, now").waitFor();
  await chat.picture("asked");
  await chat.press("Rather not");
  await chat.reads("The answer was reject_once no.");
  await chat.idle();
  await chat.say("ask Order coffee");
  await chat.press("Yes, now");
  await chat.reads("The answer was allow_once now.");
  await chat.idle();
  await chat.picture("asked-done");
  assert.equal(readFileSync(path("asked"), "utf8"), "reject_once no\nallow_once now\n");
});

chatting("a command is shown once, as code, with the reason, and leaves a trace", async ({ chat }) => {
  await chat.say("deploy git push --force production deployment/cart");
  await chat.button(/^Allow/).waitFor();
  await chat.picture("command");
  await chat.press(/^Allow/);
  await chat.reads("The answer was allow_once.");
  await chat.idle();
  await chat.picture("command-done");
  await chat.panel.getByText("Fast: off").waitFor();
  await chat.say("deploy make undeploy");
  await chat.press("Reject");
  await chat.reads(/The answer was reject/);
  await chat.picture("command-refused");
});

chatting("a question with several fields is answered", async ({ chat }) => {
  for (const [cups, values] of [["3", '{"cups":3,"leaf":"ceylon","who":"Ada"}'], ["", '{"leaf":"ceylon","who":"Ada"}']] as const) {
    await chat.say("question");
    await chat.asks("Who drinks it?");
    await chat.picture("question");
    await chat.field.fill("Ada");
    await chat.page.keyboard.press("Enter");
    await chat.asks("What is in the pot?");
    await chat.panel.getByRole("option", { name: /Ceylon/ }).click();
    await chat.asks("3/3");
    await chat.field.fill(cups);
    await chat.picture(`question-last-${cups ? "filled" : "empty"}`);
    await chat.press("Submit");
    await chat.reads(`Tea: ${values}.`);
    await chat.idle();
  }
});

// In this case, VS Code cancels the turn and sends an approval that nobody
// gave.
chatting("a prompt instead of an answer allows nothing", async ({ chat, path }) => {
  await chat.say("ask Order tea");
  await chat.button("Yes, now").waitFor();
  await chat.say("say Something else.");
  await chat.reads("Something else.");
  await chat.idle();
  assert.equal(readFileSync(path("asked"), "utf8"), "cancelled \n");
});
