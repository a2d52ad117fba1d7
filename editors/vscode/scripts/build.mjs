// Builds the extension into dist/: the extension host's half, and the view's half,
// which runs in a page and is built from its own entry point.

import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { view } from "./view.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  sourcemap: process.argv.includes("--sourcemap"),
  legalComments: "linked",
  logLevel: "warning",
};

await rm(`${root}/dist`, { recursive: true, force: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: { extension: "src/vscode/extension.ts" },
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
  }),
  build({ ...shared, ...view, outdir: "dist" }),
]);
