// Builds the page of "turnwire serve" into the Go package that serves it. The output
// is committed, so that Go alone can build a binary with the page. With --check,
// reports whether the committed files are up to date.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { licenses } from "./licenses.mjs";
import { parts } from "./parts.mjs";
import { view } from "./view.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = fileURLToPath(new URL("../../../internal/app/page", import.meta.url));

const { outputFiles, metafile } = await build({
  ...view,
  absWorkingDir: root,
  entryPoints: [
    { in: "src/page/main.tsx", out: "page" },
    { in: "src/page/style/index.css", out: "page" },
  ],
  outdir: target,
  banner: { js: "// Libraries and their licences: page.licenses.txt" },
  metafile: true,
  write: false,
});
const { files: large, program, metafiles } = await parts(root);

/** The files' texts; those that end with .gz are stored compressed. */
const files = new Map([
  ...outputFiles.map(({ path, text }) => [`files/${basename(path)}`, text]),
  ...[...large].map(([name, text]) => [`files/${name}.gz`, text]),
  ["files/page.licenses.txt", licenses(root, [metafile, ...metafiles])],
  // For the page's policy, which allows the frame's program and no other.
  ["diagrams.sha256", createHash("sha256").update(program).digest("base64")],
]);

let stale = false;
for (const [name, text] of files) {
  const path = `${target}/${name}`;
  const packed = name.endsWith(".gz");
  const kept = await readFile(path).then((bytes) => (packed ? gunzipSync(bytes) : bytes).toString(), () => undefined);
  if (kept === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`internal/app/page/${name} is not what the sources make: npm run page`);
    stale = true;
  } else {
    const bytes = packed ? gzipSync(text, { level: 9 }) : Buffer.from(text);
    await writeFile(path, bytes);
    console.log(`${name}: ${bytes.length} bytes`);
  }
}
process.exitCode = stale ? 1 : 0;
