// Builds the page of "turnwire serve" into the Go package that serves it. The output
// is committed, so that Go alone can build a binary with the page. With --check,
// reports whether the committed files are up to date.

import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { view } from "./view.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = fileURLToPath(new URL("../../../internal/app/page/files", import.meta.url));

const { outputFiles } = await build({
  ...view,
  absWorkingDir: root,
  entryPoints: [
    { in: "src/page/main.tsx", out: "page" },
    { in: "src/page/style/index.css", out: "page" },
  ],
  // A page's licence file lists all libraries, in its own order.
  outdir: target,
  write: false,
});

let stale = false;
for (const { path, contents } of outputFiles) {
  const name = path.endsWith(".LEGAL.txt") ? "page.licenses.txt" : basename(path);
  const text = name.endsWith(".js") ? Buffer.from(Buffer.from(contents).toString().replaceAll("page.js.LEGAL.txt", "page.licenses.txt")) : Buffer.from(contents);
  if (process.argv.includes("--check")) {
    const kept = await readFile(`${target}/${name}`).catch(() => Buffer.alloc(0));
    if (!kept.equals(text)) {
      console.error(`internal/app/page/files/${name} is not what the sources make: npm run page`);
      stale = true;
    }
  } else {
    await writeFile(`${target}/${name}`, text);
    console.log(`${name}: ${text.length} bytes`);
  }
}
process.exitCode = stale ? 1 : 0;
