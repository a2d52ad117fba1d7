import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { coder, right, wrong } from "../coder.js";
import { Phone } from "./phone.js";
import { Served } from "./served.js";

let served: Served;
before(async () => (served = await Served.start("--", ...coder)));
after(async () => {
  await leaveBrowser();
  await served?.stop();
});

test("the example with a model reads, edits and runs", async () => {
  const file = join(served.folder, "sum.py");
  writeFileSync(file, wrong);
  const phone = await Phone.open(served);
  const allow = (what: string) => phone.page.getByRole("group", { name: `Permission request: ${what}` }).getByRole("button", { name: /^Allow/ });
  try {
    await phone.ready();
    await phone.say("Fix the sum.");
    await phone.reads(/Read sum\.py/);
    await allow("Edit sum.py").waitFor();
    await phone.page.locator(".diff-lines .row.added", { hasText: "a + b" }).waitFor();
    await phone.picture("coder asks to edit");
    assert.equal(readFileSync(file, "utf8"), wrong, "it was edited before it was allowed");
    await allow("Edit sum.py").tap();
    await allow("Run python3 sum.py").waitFor();
    await phone.picture("coder asks to run");
    assert.equal(readFileSync(file, "utf8"), right);
    await allow("Run python3 sum.py").tap();
    await phone.reads("The program says 2 + 3 = 5.");
    await phone.idle();
    await phone.picture("coder is done");
    assert.deepEqual(phone.errors, []);
    assert.deepEqual(phone.foreign, []);
  } catch (error) {
    await phone.picture("failed coder");
    throw error;
  }
});
