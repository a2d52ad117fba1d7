#!/usr/bin/env node
// Starts the program of this platform, which npm has installed beside this
// package, and ends as it does.
"use strict";

const { spawn } = require("node:child_process");

const name = `@turnwire/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "turnwire.exe" : "turnwire";
let program;
try {
  program = require.resolve(`${name}/${file}`);
} catch {
  console.error(`turnwire: the package ${name} is not installed: it is an optional dependency (npm install --include=optional), and there is one for each system that Turnwire is built for`);
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`turnwire: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
