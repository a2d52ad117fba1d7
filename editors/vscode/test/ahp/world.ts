/** The real server, VS Code, and a window for each test. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { Served } from "../page/served.js";
import { Chat } from "./chat.js";
import { Code } from "./code.js";

export interface World {
  chat: Chat;
  served: Served;
  /** A file in the folder that the window is open on. */
  path: (file: string) => string;
  /** Does something with another window on that folder. */
  beside: (run: (other: Chat) => Promise<void>) => Promise<void>;
}

/** The name of the agent that is served without a name: that of its file. */
const agent = "agent.mjs";

/** Begins what a file of tests needs, and returns what its tests are made with. */
export function world(): (name: string, run: (world: World) => Promise<void>) => void {
  let served: Served;
  let code: Code;
  let folders = 0;
  before(async () => {
    served = await Served.start("--auth", "token", "--", process.execPath, join(import.meta.dirname, "../../../test/ahp", agent));
    code = await Code.start(served.url, served.turnwire("token", "create", "chat"));
  });
  after(async () => {
    await leaveBrowser();
    await code?.stop();
    await served?.stop();
  });

  /** Opens a window, and takes a picture of how something in it failed. */
  async function within(name: string, folder: string, run: (chat: Chat) => Promise<void>): Promise<void> {
    const chat = await Chat.open(code, folder);
    try {
      await run(chat);
    } catch (error) {
      await chat.picture(`failed: ${name}`);
      throw error;
    } finally {
      await chat.close();
    }
  }

  return (name, run) => test(name, async () => {
    const folder = join(served.folder, `${++folders}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "notes.md"), "one\ntwo\n");
    await within(name, folder, async (chat) => {
      await chat.with(agent);
      await run({ chat, served, path: (file) => join(folder, file), beside: (then) => within(`${name}, beside`, folder, then) });
    });
  });
}
