/** The chats of all agents on a server, in one list. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { Phone } from "./phone.js";
import { Served } from "./served.js";

let served: Served;
before(async () => {
  served = await Served.start();
  const folder = join(served.home, "config/turnwire");
  mkdirSync(folder, { recursive: true });
  const tea = { type: "acp", command: process.execPath, args: [join(import.meta.dirname, "../../../test/page/agent.mjs")] };
  writeFileSync(join(folder, "turnwire.json"), JSON.stringify({ agents: { tea } }));
});
after(async () => {
  await leaveBrowser();
  await served?.stop();
});

test("a chat with another agent is in the list, and opens with it", async () => {
  served.turnwire("run", "--agent", "acp", "--url", `${served.url.replace("http", "ws")}/acp/tea`, "say Tea is ready.");
  const phone = await Phone.open(served);
  try {
    await phone.ready();
    await phone.press("Chats");
    const row = phone.page.locator(".session", { hasText: "Tea is ready." });
    await row.getByText("tea", { exact: true }).waitFor();
    await phone.picture("chats-of-agents");
    await row.locator(".session-open").tap();
    await phone.reads("Tea is ready.");
    await phone.ready();
    await phone.say("say And the milk.");
    await phone.reads("And the milk.");
    await phone.idle();
    assert.deepEqual(phone.errors, []);
  } catch (error) {
    await phone.picture("failed chats of agents");
    throw error;
  } finally {
    await phone.close();
  }
});

test("on a wide screen, the list is next to the chat and keeps up", async () => {
  const phone = await Phone.open(served, "/", { width: 1100, height: 720 });
  try {
    await phone.ready();
    const list = phone.page.getByRole("region", { name: "Chats" });
    await list.waitFor();
    assert.equal(await phone.page.getByRole("button", { name: "Chats" }).count(), 0);
    await phone.say("/say The kettle is on.");
    await phone.reads("All done");
    await phone.idle();
    await list.locator(".session.current", { hasText: "The kettle is on." }).waitFor();
    await phone.picture("list-beside-1100-dark");
    // Another client begins a chat: the list shows it without a reload.
    served.turnwire("run", "--agent", "acp", "--url", `${served.url.replace("http", "ws")}/acp/tea`, "say Biscuits are here.");
    const other = list.locator(".session", { hasText: "Biscuits are here." });
    await other.locator(".session-open").click();
    await phone.reads("Biscuits are here.");
    await list.locator(".session.current", { hasText: "Biscuits are here." }).waitFor();
    // A narrow window has the button instead, and the draft stays.
    await phone.ready();
    await phone.prompt.fill("My draft");
    await phone.page.setViewportSize({ width: 700, height: 720 });
    await list.waitFor({ state: "detached" });
    await phone.page.getByRole("button", { name: "Chats" }).waitFor();
    assert.equal(await phone.prompt.inputValue(), "My draft");
    assert.deepEqual(phone.errors, []);
  } finally {
    await phone.close();
  }
});
