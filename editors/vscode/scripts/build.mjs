// Builds the extension into dist/: the extension host's half, and the view's half,
// which runs in a page and is built from its own entry point, with its large parts.

import { rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licenses } from "./licenses.mjs";
import { parts } from "./parts.mjs";
import { view } from "./view.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  sourcemap: process.argv.includes("--sourcemap"),
  // licenses.mjs lists all libraries.
  legalComments: "none",
  banner: { js: "// Libraries and their licences: licenses.txt" },
  logLevel: "warning",
  metafile: true,
};

await rm(`${root}/dist`, { recursive: true, force: true });
const [extension, page, { files, metafiles }] = await Promise.all([
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
  parts(root),
]);
files.set("licenses.txt", licenses(root, [extension.metafile, page.metafile, ...metafiles]));
for (const [name, text] of files) await writeFile(`${root}/dist/${name}`, text);
