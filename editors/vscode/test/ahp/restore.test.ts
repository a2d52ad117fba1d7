/** "Restore Checkpoint" in VS Code's own chat, with an agent that can go back. */
import assert from "node:assert/strict";
import { world } from "./world.js";

const chatting = world("history");

chatting("the agent forgets the turns after a restored checkpoint", async ({ chat }) => {
  for (const text of ["The first.", "The second."]) {
    await chat.say(`say ${text}`);
    await chat.reads(text);
    await chat.idle();
  }
  await chat.restore("say The second.");
  await chat.picture("checkpoint");
  await chat.sayInstead("recall");
  await chat.reads("I know 1: “say The first.”.");
  await chat.idle();
  await chat.picture("checkpoint-restored");
  assert.equal(await chat.asked("say The first.").count(), 1);
  assert.equal(await chat.asked("say The second.").count(), 0);
});
