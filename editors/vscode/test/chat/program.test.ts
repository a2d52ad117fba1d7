import assert from "node:assert/strict";
import { test } from "node:test";

import { findProgram } from "../../src/chat/program.js";

/** Returns what is found on a machine that only has these files. */
function found(platform: NodeJS.Platform, files: string[], env: NodeJS.ProcessEnv, command = "turnwire"): string | undefined {
  const tried: string[] = [];
  const at = findProgram(command, { platform, env, canRun: (path) => tried.push(path) > 0 && files.includes(path) });
  for (const path of tried) assert.match(path, platform === "win32" ? /^([A-Z]:\\|\\\\)/ : /^\//, "only whole paths are looked at");
  return at;
}

test("on Windows a program is the first in PATH, with its whole path", () => {
  const files = ["C:\\b\\turnwire.exe", "D:\\c\\turnwire.exe", "\\\\host\\share\\other.com"];
  const env = { Path: 'C:\\a;"C:\\b";D:\\c;\\\\host\\share', PATHEXT: ".COM;.EXE;.BAT;.CMD" };
  assert.equal(found("win32", files, env), "C:\\b\\turnwire.exe");
  assert.equal(found("win32", files, env, "turnwire.exe"), "C:\\b\\turnwire.exe");
  assert.equal(found("win32", files, env, "other"), "\\\\host\\share\\other.com");
  assert.equal(found("win32", files, env, "none"), undefined);
  assert.equal(found("win32", files, { PATH: "D:\\c", Path: "C:\\b" }), "D:\\c\\turnwire.exe", "the one that Node passes on");
});

test("on Windows a relative folder is not part of PATH", () => {
  const files = ["turnwire.exe", ".\\turnwire.exe", "bin\\turnwire.exe", "\\turnwire.exe", "C:turnwire.exe", "C:\\turnwire.exe\\turnwire.exe"];
  assert.equal(found("win32", files, { PATH: ';.;..;bin;.\\bin;\\;C:;"";' }), undefined);
  assert.equal(found("win32", files, {}), undefined);
});

test("on Windows PATHEXT applies except to scripts, which need a shell", () => {
  const files = ["C:\\a\\turnwire.cmd", "C:\\a\\turnwire", "C:\\b\\turnwire.com", "C:\\b\\turnwire.exe"];
  assert.equal(found("win32", files, { PATH: "C:\\a;C:\\b", PATHEXT: ".CMD;.EXE;.COM" }), "C:\\b\\turnwire.exe");
  assert.equal(found("win32", files, { PATH: "C:\\a;C:\\b" }), "C:\\b\\turnwire.com");
});

test("elsewhere a program is the first in PATH, without the workspace", () => {
  const files = ["turnwire", "./turnwire", "bin/turnwire", "/b/turnwire", "/c/turnwire"];
  assert.equal(found("linux", files, { PATH: "/a:/b:/c" }), "/b/turnwire");
  assert.equal(found("darwin", files, { PATH: ":.:bin:..:/c" }), "/c/turnwire");
  assert.equal(found("linux", files, { PATH: ":." }), undefined);
  assert.equal(found("linux", files, {}), undefined);
});

test("a command with a folder is used unchanged", () => {
  for (const command of ["/opt/turnwire", "./turnwire", "bin/turnwire"]) assert.equal(found("linux", [], { PATH: "/a" }, command), command);
  for (const command of ["C:\\turnwire.exe", ".\\turnwire", "bin/turnwire"]) assert.equal(found("win32", [], { PATH: "C:\\a" }, command), command);
});
