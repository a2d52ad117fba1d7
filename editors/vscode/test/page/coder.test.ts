import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { coder, right, wrong } from "../coder.js";
import { Cable } from "./cable.js";
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

test("a part of a change is allowed on the phone, also after a reload", async () => {
  const file = join(served.folder, "sum.py");
  writeFileSync(file, wrong);
  const phone = await Phone.open(served);
  const change = phone.page.getByRole("button", { name: "Accept change 2 of 2" });
  const allow = phone.page.getByRole("button", { name: "Allow 1 of 2 changes" });
  try {
    await phone.ready();
    await phone.say("Edit it in parts.");
    await change.tap();
    await allow.waitFor();
    await phone.picture("coder asks for parts");
    const box = await change.boundingBox();
    assert.ok(box && box.height >= 44, "the toggle is too small for a finger");
    await phone.page.reload();
    await change.waitFor();
    assert.equal(await change.getAttribute("aria-pressed"), "true", "the page asks again, so nothing is refused yet");
    await change.tap();
    await allow.tap();
    await phone.reads(/The user refused the rest of the change/);
    await phone.idle();
    await phone.reads("Allowed 1 of 2 changes");
    await phone.picture("coder made a part");
    assert.equal(readFileSync(file, "utf8"), right);
    await phone.page.reload();
    await phone.reads("Allowed in part");
    assert.deepEqual(phone.errors, []);
  } catch (error) {
    await phone.picture("failed coder parts");
    throw error;
  }
});

test("a part that is allowed while the connection is cut is allowed once it is back", async () => {
  const file = join(served.folder, "sum.py");
  writeFileSync(file, wrong);
  const cable = await Cable.to(served.url);
  const phone = await Phone.open(served, "/", { by: cable.url });
  try {
    await phone.ready();
    await phone.say("Edit it in parts.");
    await phone.page.getByRole("button", { name: "Accept change 1 of 2" }).waitFor();
    cable.cut();
    await phone.page.locator(".line.away").waitFor();
    await phone.page.getByRole("button", { name: "Accept change 2 of 2" }).tap();
    await phone.page.getByRole("button", { name: "Allow 1 of 2 changes" }).tap();
    await phone.page.locator(".unsent", { hasText: "Allowed 1 of 2 changes · not sent yet" }).waitFor();
    await phone.picture("coder part unsent");
    assert.equal(readFileSync(file, "utf8"), wrong);
    cable.mend();
    await phone.reads(/The user refused the rest of the change/);
    await phone.idle();
    assert.equal(readFileSync(file, "utf8"), right);
  } catch (error) {
    await phone.picture("failed coder part unsent");
    throw error;
  } finally {
    await cable.remove();
  }
});
