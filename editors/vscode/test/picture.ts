/** Pictures of what is tested, in out/screenshots: those of failures always, the others with --pictures. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";

const folder = join(import.meta.dirname, "../../screenshots");

/** A name that begins with "failed" is that of a failure. */
export async function picture(page: Page, suite: string, name: string): Promise<void> {
  if (!name.startsWith("failed") && process.env["TURNWIRE_PICTURES"] === undefined) return;
  const path = join(folder, suite, `${name.replace(/[^a-z0-9/-]+/gi, " ").trim()}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, animations: "disabled" });
}

/** What the look of a page comes to: colours that fade in have less contrast until they are there. */
export const finishAnimations = (): void => {
  for (const one of document.getAnimations()) {
    if (Number.isFinite(one.effect?.getComputedTiming().endTime)) one.finish();
  }
};
