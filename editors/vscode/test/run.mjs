// Runs the tests: node test/run.mjs [SUITE…], where a suite is a folder beside this
// file. They are in TypeScript, so each is bundled first; what they run is the real
// binary, which is built here unless TURNWIRE_BINARY names it.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const exe = process.platform === "win32" ? ".exe" : "";

const asked = process.argv.slice(2);
const all = readdirSync(`${root}/test`, { withFileTypes: true }).filter((d) => d.isDirectory());
const suites = asked.length > 0 ? asked : all.map((d) => d.name);
const tests = suites.flatMap((suite) => {
  const folder = `${root}/test/${suite}`;
  if (!existsSync(folder)) throw new Error(`there is no suite ${suite}`);
  return readdirSync(folder).filter((f) => f.endsWith(".test.ts")).map((f) => `test/${suite}/${f}`);
});

// Sessions are kept, but not among the user's own.
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

if (suites.includes("ahp") && !existsSync(`${root}/test/ahp/code/node_modules/.installed`)) {
  throw new Error("VS Code for the tests of its own chat is not installed: node test/ahp/code/install.mjs");
}

if (suites.includes("vscode")) {
  if (!existsSync(`${root}/test/code-server/node_modules/.installed`)) {
    throw new Error("VS Code for the tests is not installed: node test/code-server/install.mjs");
  }
  // What is tested is what is shipped.
  execFileSync("npm", ["run", "--silent", "package"], { cwd: root, stdio: ["ignore", "ignore", "inherit"], shell: exe !== "" });
}

const built = tests.map((t) => `out/${t.replace(/\.ts$/, ".mjs")}`);
/** Each needs an editor and a browser of its own, and the machine for itself. */
const heavy = built.filter((t) => /\/(vscode|ahp)\//.test(t));
const light = built.filter((t) => !heavy.includes(t));
const status = [run(light, 2, 240_000), run(heavy, 1, 900_000)];
process.exit(Math.max(...status));

function run(files, concurrency, patience) {
  if (files.length === 0) return 0;
  const options = ["--enable-source-maps", "--test", `--test-concurrency=${concurrency}`, `--test-timeout=${patience}`];
  return spawnSync(process.execPath, [...options, ...files], { cwd: root, stdio: "inherit" }).status ?? 1;
}
