/**
 * Builds the view and its tests, and runs them: `node test/webview/run.mjs [file…]`.
 *
 * They need Chromium (Debian: apt install chromium), where CHROMIUM names it or
 * at /usr/bin/chromium, and Go, for the binary that they talk to.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { view } from "../../scripts/view.mjs";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));
const out = "out/webview";
const names = readdirSync("test/webview").filter((name) => name.endsWith(".test.ts"));
const wanted = process.argv.slice(2);
const chosen = names.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

rmSync(out, { recursive: true, force: true });
await build({ ...view, outdir: out });
await build({
  entryPoints: chosen.map((name) => `test/webview/${name}`),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  jsx: "automatic",
  jsxImportSource: "preact",
  sourcemap: "inline",
  logLevel: "warning",
});
const tests = chosen.map((name) => `${out}/${name.replace(/\.ts$/, ".mjs")}`);
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", "--test-concurrency=1", ...tests], { stdio: "inherit" });
process.exit(run.status ?? 1);
