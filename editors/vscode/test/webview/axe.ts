/** Checks for accessibility problems. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { finishAnimations } from "../picture.js";
import type { View } from "./view.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run(options: { resultTypes: "violations"[] }): Promise<AxeResults>;
}

export const loadAxe = (view: View): Promise<unknown> => view.page.evaluate(axe);

export async function assertAccessible(view: View, what: string): Promise<void> {
  await view.page.evaluate(finishAnimations);
  const { violations } = await view.page.evaluate(() => (window as unknown as { axe: Axe }).axe.run({ resultTypes: ["violations"] }));
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.any.map((check) => check.message).join(" ")}`).join("\n  ")}`);
  assert.deepEqual(found, [], what);
}
