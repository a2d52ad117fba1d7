/** Screenshots in out/screenshots: of failures always, of everything else with --pictures. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";

const folder = join(import.meta.dirname, "../../screenshots");

/** A name that begins with "failed" is a failure. */
export async function picture(page: Page, suite: string, name: string): Promise<void> {
  if (!name.startsWith("failed") && process.env["TURNWIRE_PICTURES"] === undefined) return;
  const path = join(folder, suite, `${name.replace(/[^a-z0-9/-]+/gi, " ").trim()}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, animations: "disabled" });
}

/** Jumps to the end of animations: colours that fade in have less contrast until then. */
export const finishAnimations = (): void => {
  for (const one of document.getAnimations()) {
    if (Number.isFinite(one.effect?.getComputedTiming().endTime)) one.finish();
  }
};
