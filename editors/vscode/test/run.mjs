// Runs the tests: node test/run.mjs [--pictures] [SUITE…] [-- OPTION…]. A suite is a
// folder next to this file, or one file in it (vscode/turn); the options are passed to
// node --test. The tests are written in TypeScript, so each is bundled first. They run
// the real binary, which is built here unless TURNWIRE_BINARY names it. With --pictures,
// screenshots are written to out/screenshots; those of failures always are.
//
// One browser serves all files, and one installation of the extension all editors.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parts } from "../scripts/parts.mjs";
import { view } from "../scripts/view.mjs";
import { serveBrowser } from "./chromium.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const exe = process.platform === "win32" ? ".exe" : "";

const [asked, forNode] = split(process.argv.slice(2));
if (asked.includes("--pictures")) process.env.TURNWIRE_PICTURES = "1";
/** pictures is not a test: it makes those of the README, when it is named. */
const all = readdirSync(`${root}/test`, { withFileTypes: true }).filter((d) => d.isDirectory() && d.name !== "pictures").map((d) => d.name);
const named = asked.filter((argument) => !argument.startsWith("--"));
const tests = (named.length > 0 ? named : all).flatMap((name) => {
  const [suite, file] = name.split("/");
  if (!existsSync(`${root}/test/${suite}`)) throw new Error(`there is no suite ${suite}`);
  const found = readdirSync(`${root}/test/${suite}`).filter((f) => (file ? f === `${file}.test.ts` : f.endsWith(".test.ts")));
  if (file && found.length === 0) throw new Error(`there is no test/${name}.test.ts`);
  return found.map((f) => `test/${suite}/${f}`);
});
const suites = [...new Set(tests.map((t) => t.split("/")[1]))];

// Don't mix the tests' sessions with the user's own.
process.env.XDG_STATE_HOME = mkdtempSync(`${tmpdir()}/turnwire-state-`);

if (!process.env.TURNWIRE_BINARY) {
  process.env.TURNWIRE_BINARY = `${root}/out/turnwire${exe}`;
  execFileSync("go", ["build", "-o", process.env.TURNWIRE_BINARY, "."], {
    cwd: repository,
    env: { ...process.env, CGO_ENABLED: "0" },
    stdio: "inherit",
  });
}

for (const suite of suites) await rm(`${root}/out/test/${suite}`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: tests,
  outdir: "out/test",
  outbase: "test",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});

/** Suites that need a browser. */
const browsing = ["ahp", "page", "pictures", "vscode", "webview"].some((suite) => suites.includes(suite));

if (suites.includes("webview")) {
  await build({ ...view, absWorkingDir: root, outdir: "out/view" });
  for (const [name, text] of (await parts(root)).files) writeFileSync(`${root}/out/view/${name}`, text);
}

if (suites.includes("ahp") && !existsSync(`${root}/test/ahp/code/node_modules/.installed`)) {
  throw new Error("VS Code for the tests of its own chat is not installed: node test/ahp/code/install.mjs");
}
if (suites.includes("ahp")) execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "inherit", shell: exe !== "" });

const extensions = mkdtempSync(`${tmpdir()}/turnwire-extensions-`);
if (suites.includes("vscode") || suites.includes("pictures")) {
  const code = `${root}/test/code-server/node_modules`;
  if (!existsSync(`${code}/.installed`)) throw new Error("VS Code for the tests is not installed: node test/code-server/install.mjs");
  // Test what is shipped: the package for this platform, which includes the program.
  mkdirSync(`${root}/bin`, { recursive: true });
  copyFileSync(process.env.TURNWIRE_BINARY, `${root}/bin/turnwire${exe}`);
  execFileSync("npm", ["run", "--silent", "package"], { cwd: root, stdio: ["ignore", "ignore", "inherit"], shell: exe !== "" });
  const args = ["--user-data-dir", `${extensions}/data`, "--extensions-dir", extensions, "--install-extension", "dist/turnwire.vsix"];
  execFileSync(process.execPath, [`${code}/code-server/out/node/entry.js`, ...args], {
    cwd: root,
    env: { ...process.env, HOME: extensions, XDG_CONFIG_HOME: extensions, XDG_DATA_HOME: extensions },
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.env.TURNWIRE_EXTENSIONS = extensions;
}

const browser = browsing ? await serveBrowser() : undefined;
try {
  process.exitCode = await run(tests.map((t) => `out/${t.replace(/\.ts$/, ".mjs")}`));
} finally {
  await browser?.close();
  for (const folder of [extensions, process.env.XDG_STATE_HOME]) await rm(folder, { recursive: true, force: true });
}

/**
 * Three files at a time, because each mostly waits for an editor, an agent or a page.
 */
async function run(files) {
  const options = ["--enable-source-maps", "--test", "--test-concurrency=3", "--test-timeout=900000", ...forNode];
  const [code] = await once(spawn(process.execPath, [...options, ...files], { cwd: root, stdio: "inherit" }), "exit");
  return code ?? 1;
}

function split(args) {
  const at = args.indexOf("--");
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}
