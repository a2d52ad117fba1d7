/** A new chat starts in a folder that the server offers. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { Phone } from "./phone.js";
import { scripted, Served } from "./served.js";

let served: Served;
before(async () => {
  served = await Served.start(...scripted);
  const config = join(served.home, "config/turnwire");
  for (const name of ["tea", "scones"]) mkdirSync(join(served.home, name));
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "turnwire.json"), JSON.stringify({ folders: [join(served.home, "tea"), join(served.home, "scones"), join(served.home, "gone")] }));
});
after(async () => {
  await leaveBrowser();
  await served?.stop();
});

const folders = ({ page }: Phone): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const state = (await (await fetch("/page/state", { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } })).json()) as { sessions: { title?: string; cwd: string }[] };
    return Object.fromEntries(state.sessions.flatMap(({ title, cwd }) => (title ? [[title, cwd]] : [])));
  });

for (const width of [360, 1100]) {
  test(`a new chat starts in the chosen folder, at ${width} pixels`, async () => {
    const phone = await Phone.open(served, "/", { width, height: 720 });
    try {
      await phone.ready();
      const choice = phone.page.getByRole("combobox", { name: "Folder" });
      assert.deepEqual(await choice.locator("option").allInnerTexts(), ["work", "tea", "scones"].map((name) => `${name} – ${join(served.home, name)}`));
      assert.equal(await choice.inputValue(), served.folder);
      await phone.prompt.fill(`say Where am I, at ${width}?`);
      await choice.selectOption(join(served.home, "scones"));
      await phone.ready();
      assert.equal(await choice.inputValue(), join(served.home, "scones"));
      await phone.picture(`folder-${width}`);
      assert.equal(await phone.prompt.inputValue(), `say Where am I, at ${width}?`);
      await phone.press("Send");
      await phone.page.locator(".agent", { hasText: "Where am I" }).waitFor();
      await phone.idle();
      assert.equal((await folders(phone))[`say Where am I, at ${width}?`], join(served.home, "scones"));
      // The next chat starts where this one did.
      await phone.press("New chat");
      await phone.ready();
      assert.equal(await choice.inputValue(), join(served.home, "scones"));
      assert.deepEqual(phone.errors, []);
    } finally {
      await phone.close();
    }
  });
}
