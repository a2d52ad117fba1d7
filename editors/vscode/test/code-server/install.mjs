// Installs VS Code without a desktop (code-server) next to this file.
//
// Package scripts don't run, because there are hundreds of them. The required native
// modules are built by name, and the other steps of code-server's own script are done
// here. Building the modules needs Debian's libkrb5-dev, libsecret-1-dev, libx11-dev,
// libxkbfile-dev, python3 and g++; searching files needs ripgrep.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const server = join(here, "node_modules/code-server");
const code = join(server, "lib/vscode");
const done = join(here, "node_modules/.installed");

// Use the headers that came with Node.js instead of downloading them.
const prefix = dirname(dirname(process.execPath));
const nodedir = existsSync(join(prefix, "include/node/node_api.h")) ? prefix : undefined;

function npm(cwd, ...args) {
  execFileSync("npm", [...args, "--no-fund", "--no-audit", "--loglevel=error"], {
    cwd,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, npm_config_build_from_source: "true", ...(nodedir && { npm_config_nodedir: nodedir }) },
  });
}

function compile(module) {
  const gyp = join(here, "node_modules/node-gyp/bin/node-gyp.js");
  const headers = nodedir ? [`--nodedir=${nodedir}`] : [];
  execFileSync(process.execPath, [gyp, "rebuild", "--release", "--loglevel=error", ...headers], {
    cwd: module,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

function link(target, path) {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

const ripgrep = (process.env.PATH ?? "").split(":").map((dir) => join(dir, "rg")).find(existsSync);
if (!ripgrep) throw new Error("rg is missing: apt-get install ripgrep");

rmSync(done, { force: true });
npm(here, "ci", "--ignore-scripts");
// Its own lock file is incomplete, so `ci` refuses it.
npm(code, "install", "--omit=dev", "--ignore-scripts");
for (const name of ["@vscode/spdlog", "native-watchdog", "node-pty", "kerberos"]) compile(join(code, "node_modules", name));
npm(here, "rebuild", "argon2"); // it tells node-gyp where to put its module

// VS Code uses this name, because elsewhere the modules are packed into an archive.
link("node_modules", join(code, "node_modules.asar"));
mkdirSync(join(code, "node_modules/@vscode/ripgrep/bin"), { recursive: true });
link(ripgrep, join(code, "node_modules/@vscode/ripgrep/bin/rg"));
writeFileSync(done, "");
