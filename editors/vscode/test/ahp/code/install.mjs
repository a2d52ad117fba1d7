// Installs VS Code 1.139 without a desktop beside this file, for what it takes to
// serve a window: nothing is built, and no script of a package runs.
//
// code-server refuses its own lock file, so the packages that VS Code loads are named
// in ours. It looks for them beside itself, and the browser under the same name.

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
