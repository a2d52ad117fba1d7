// Installs VS Code 1.139 without a desktop next to this file, enough to serve a
// window: nothing is built, and no package scripts run.
//
// code-server refuses its own lock file, so ours lists the packages that VS Code
// loads. VS Code looks for them in its own folder, and the browser uses the same
// name.

import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const packages = join(here, "node_modules");
const done = join(packages, ".installed");
const code = join(packages, "code-server/lib/vscode");

rmSync(done, { force: true });
execFileSync("npm", ["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"], {
  cwd: here,
  stdio: ["ignore", "inherit", "inherit"],
});
for (const name of ["node_modules", "node_modules.asar"]) {
  rmSync(join(code, name), { recursive: true, force: true });
  symlinkSync("../../..", join(code, name));
}
writeFileSync(done, "");
