// Measures how soon the view responds: node bench/run.mjs [RUNS], three runs by
// default. It prints figures and never fails because of them. They are only
// comparable on the same machine, and only if it is idle.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { view } from "../scripts/view.mjs";
import { serveBrowser } from "../test/chromium.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

await build({
  entryPoints: ["bench/view.ts"],
  outdir: "out/bench",
  outbase: ".",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});

await build({ ...view, outdir: "out/view" });

const browser = await serveBrowser();
const { bench } = await import(new URL("../out/bench/bench/view.mjs", import.meta.url).href);
await bench(Number(process.argv[2] ?? 3)).finally(() => browser.close());
