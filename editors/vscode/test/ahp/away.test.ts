/** VS Code windows that close and reopen. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { world } from "./world.js";

const chatting = world();

chatting("a window that is loaded again in the middle of a turn shows it all, and how it goes on", async ({ chat, path }) => {
  await chat.say("say Before it.\nask Order tea\nuntil more\nsay The very end.");
  await chat.button("Yes, now").waitFor();
  await chat.reload();
  await chat.pick("say Before it.");
  await chat.reads("Before it.");
  await chat.picture("reloaded");
  await chat.press("Yes, now");
  await chat.reads("The answer was allow_once now.");
  await chat.reload();
  await chat.pick("say Before it.");
  await chat.reads("The answer was allow_once now.");
  writeFileSync(path("more"), "It goes on.");
  await chat.reads("It goes on.");
  await chat.reads("The very end.");
  await chat.idle();
});

chatting("two windows are on one session, one answers, and it is withdrawn in the other", async ({ chat, path, beside }) => {
  await chat.say("say Both see this.\nask Order tea\nuntil both");
  await chat.button("Yes, now").waitFor();
  await beside(async (other) => {
    await other.pick("say Both see this.");
    await other.reads("Both see this.");
    await other.button("Yes, now").waitFor();
    await other.picture("two windows");
    await other.press("Yes, now");
    await chat.button("Yes, now").waitFor({ state: "detached" });
    for (const one of [chat, other]) await one.reads("The answer was allow_once now.");
    writeFileSync(path("both"), "And this.");
    for (const one of [chat, other]) await one.reads("And this.");
    for (const one of [chat, other]) await one.idle();
  });
  assert.equal(readFileSync(path("asked"), "utf8"), "allow_once now\n");
});
