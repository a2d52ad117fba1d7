/**
 * Screenshots of every state, at three widths, in every theme: out/screenshots/gallery.
 * Checks each for accessibility, and that nothing is cut off.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { assertAccessible, loadAxe } from "./axe.js";
import { sheets } from "./states.js";
import { themes, type ThemeName } from "./themes.js";
import { View } from "./view.js";

after(leaveBrowser);

const widths = [300, 450, 900];

for (const theme of Object.keys(themes) as ThemeName[]) {
  for (const [sheet, posted] of Object.entries(sheets)) {
    test(`the sheet “${sheet}” in the ${theme} theme`, async () => {
      const view = await View.open({ theme });
      await loadAxe(view);
      await view.post(posted);
      if (sheet === "opened") await openAll(view);
      for (const width of widths) {
        await view.page.setViewportSize({ width, height: 640 });
        await showAll(view, width);
        await view.screenshot(`gallery/${sheet}-${theme}-${width}`);
        await assertAccessible(view, `${sheet}, ${theme}, ${width}`);
        assert.equal(await view.page.evaluate(() => document.documentElement.scrollWidth), width);
        assert.equal(await view.page.locator(".log").evaluate((log) => log.scrollWidth - log.clientWidth), 0);
      }
      if (sheet === "spoken") await assertTableScrolls(view);
      assert.deepEqual(view.errors, []);
      await view.close();
    });
  }
}

/** Opens everything, including what was inside. */
async function openAll(view: View): Promise<void> {
  const closed = view.page.locator(".log [aria-expanded=false]");
  while ((await closed.count()) > 0) await closed.first().click();
}

/** A table that is too wide for the chat scrolls in its own frame, which the keyboard reaches. */
async function assertTableScrolls(view: View): Promise<void> {
  await view.page.setViewportSize({ width: 300, height: 900 });
  const table = view.page.locator(".table").last();
  await table.focus();
  await view.page.keyboard.press("ArrowRight");
  await view.page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
  assert.equal(await view.page.locator(".log").evaluate((log) => log.scrollLeft), 0);
}

/** Makes the view as high as its content, because invisible content is not drawn or checked. */
async function showAll(view: View, width: number): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const hidden = await view.page.locator(".log").evaluate((log) => log.scrollHeight - log.clientHeight);
    if (hidden <= 0) return;
    const { height = 0 } = view.page.viewportSize() ?? {};
    await view.page.setViewportSize({ width, height: height + hidden });
    await view.frames();
  }
}
