/** A server that ends and restarts while VS Code's own chat uses it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../patience.js";
import type { Served } from "../page/served.js";
import { world } from "./world.js";

const chatting = world();

/** What the server stored about VS Code's chats. */
function stored(served: Served): string {
  const state = join(served.home, "state");
  const files = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((name) => /(^|\/)[^./][^/]*\.json$/.test(name));
  return files.map((name) => readFileSync(join(state, name), "utf8")).join("");
}

chatting("a server that is killed during a turn and restarted loses no messages", async ({ chat, served }) => {
  await chat.say("say First of all.");
  await chat.reads("First of all.");
  await chat.idle();
  await chat.say("say Then this.\nuntil never");
  await chat.reads("Then this.");
  await chat.button(/^Cancel/).waitFor();
  await chat.say("say Later.");
  await eventually(() => (/"queue":.*say Later\./.test(stored(served)) ? true : undefined), () => "the queue was not saved"); // not the draft
  await served.kill();
  await served.up();
  await chat.reads("The server was restarted, and the previous turn was interrupted. Not sent: say Later.");
  await chat.idle();
  for (const text of ["First of all.", "Then this."]) await chat.reads(text);
  await chat.picture("server again");
  await chat.say("say After it.");
  await chat.reads("After it.");
  await chat.idle();
});

chatting("yesterday's chat is in the list, and opens with its messages", async ({ chat, served, beside }) => {
  await chat.say("say Needle in it.");
  await chat.reads("Needle in it.");
  await chat.idle();
  await served.kill();
  served.age(26);
  await served.up();
  await beside(async (later) => {
    await later.pick("say Needle in it.");
    await later.reads("Needle in it.");
    await later.picture("history");
    await later.say("say And more.");
    await later.reads("And more.");
    await later.idle();
  });
});
