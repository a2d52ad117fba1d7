/** Turns in VS Code's own chat, with the real server and no extension. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { world } from "./world.js";

const chatting = world();

chatting("text and a thought are shown as they stream", async ({ chat, path }) => {
  await chat.say("think Let me see.\nsay Reading **the notes** first.\nuntil more\nsay The end.");
  await chat.reads("Reading");
  await chat.button(/^Cancel/).waitFor();
  writeFileSync(path("more"), "Here is more.");
  await chat.reads("Here is more.");
  await chat.reads("The end.");
  await chat.idle();
  await chat.picture("text");
  assert.equal(await chat.panel.locator("strong", { hasText: "the notes" }).first().isVisible(), true);
});

chatting("a call shows its output", async ({ chat, path }) => {
  await chat.say("run make all\nsay It is made.");
  await chat.reads(/Run\smake\sall/); // its spaces don't break
  await chat.picture("call");
  writeFileSync(path("go-on"), "");
  await chat.reads("It is made.");
  await chat.idle();
  await chat.said(/Run\smake\sall/).click();
  await chat.reads(/The\ssecond\sline\./);
  await chat.picture("call-done");
});

chatting("a turn is cancelled", async ({ chat }) => {
  await chat.say("say Waiting.\nuntil never");
  await chat.reads("Waiting.");
  await chat.press(/^Cancel/);
  await chat.idle();
  await chat.say("say After it.");
  await chat.reads("After it.");
  await chat.idle();
});

chatting("a prompt is queued while a turn runs", async ({ chat, path }) => {
  await chat.say("say The first.\nuntil first");
  await chat.reads("The first.");
  await chat.say("say The second.\nuntil second");
  await chat.panel.getByText("say The second.").first().waitFor();
  await chat.picture("queued");
  writeFileSync(path("first"), "It is done.");
  await chat.reads("It is done.");
  await chat.reads("The second.");
  writeFileSync(path("second"), "That too.");
  await chat.reads("That too.");
  await chat.idle();
});

chatting("a message during a turn is read in it", async ({ chat, path }) => {
  await chat.say("say Cooking.\nlisten\nuntil served");
  await chat.reads("Cooking.");
  await chat.say("Less salt, please.");
  await chat.reads("You said “Less salt, please.”.");
  await chat.button(/^Cancel/).waitFor();
  await chat.picture("steered");
  writeFileSync(path("served"), "It is served.");
  await chat.reads("It is served.");
  await chat.idle();
});

chatting("a turn that fails says so", async ({ chat }) => {
  await chat.say("fail");
  await chat.reads("It has failed.");
});

chatting("the turn after a refused checkpoint says so", async ({ chat }) => {
  for (const text of ["The first.", "The second."]) {
    await chat.say(`say ${text}`);
    await chat.reads(text);
    await chat.idle();
  }
  await chat.restore("say The second.");
  await chat.sayInstead("recall");
  await chat.reads("The checkpoint was not restored: the agent can't go back to this turn.");
  await chat.reads("I know 2: “say The first.”, “say The second.”.");
  await chat.idle();
  await chat.picture("checkpoint-refused");
});
