/** The real server and VS Code, with a window for each test. */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { Served } from "../page/served.js";
import { Chat } from "./chat.js";
import { Code } from "./code.js";

export interface World {
  chat: Chat;
  served: Served;
  /** Returns the path of a file in the window's folder. */
  path: (file: string) => string;
  /** Runs a function with another window on that folder. */
  beside: (run: (other: Chat) => Promise<void>) => Promise<void>;
}

/** An agent that neither names itself nor has a configured name gets that of its program. */
const agent = basename(process.execPath);

/**
 * Starts what a test file needs, with these arguments for agent.mjs; returns the function
 * that defines its tests.
 */
export function world(...args: string[]): (name: string, run: (world: World) => Promise<void>) => void {
  let served: Served;
  let code: Code;
  let folders = 0;
  before(async () => {
    served = await Served.start("--auth", "token", "--", process.execPath, join(import.meta.dirname, "../../../test/ahp/agent.mjs"), ...args);
    code = await Code.start(served.url, served.turnwire("token", "create", "chat"));
  });
  after(async () => {
    await leaveBrowser();
    await code?.stop();
    await served?.stop();
  });

  /** Opens a window, and takes a screenshot if the test fails. */
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
