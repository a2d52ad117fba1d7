import assert from "node:assert/strict";
import { test } from "node:test";

import { cleanOutput, fitsNotification, forNotification, unfinished } from "../../src/vscode/plainText.js";

// The editor's pattern for links in a notification.
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/;

test("text in a notification cannot create or extend a link", () => {
  for (const text of ["[x](command:workbench.action.quit)", "echo [", "a\n[b\u202e](https://x.y)", "[[[", "[a](file:///etc)"]) {
    assert.equal(link.test(forNotification(text)), false, text);
    const [, label] = link.exec(`${forNotification(text)} [Allow](command:turnwire.answer)`) ?? [];
    assert.equal(label, "Allow", text);
  }
});

test("text that a notification would change is reviewed first", () => {
  for (const text of ["go test ./...", "go  test\n"]) assert.equal(fitsNotification(text), true, text);
  for (const text of ["[ -f x ] && rm x", "echo \u202eevil", "rm \u200b-rf", "a\x1b[2Kb", "# harmless\nrm -rf ~"]) assert.equal(fitsNotification(text), false, text);
});

test("a terminal gets a command's colours but no other escapes", () => {
  assert.equal(cleanOutput("\x1b[31mred\x1b[0m\n"), "\x1b[31mred\x1b[0m\r\n");
  for (const evil of ["\x1b]52;c;ZXZpbA==\x07", "\x1b]0;title\x1b\\", "\x1b]8;;http://x\x07", "\x1bP+q\x1b\\", "\x1b[6n", "\x1b[2J", "\x1bc", "\x9b31m", "\x07"]) {
    assert.doesNotMatch(cleanOutput(`a${evil}b`), /[\x1b\x9b\x07]/, JSON.stringify(evil));
  }
});

test("a sequence that is cut between two pieces of output is put together", () => {
  const pieces = ["a\x1b", "[3", "1mb\x1b]52;c;", "ZXZpbA==", "\x07c"];
  let rest = "";
  let shown = "";
  for (const piece of pieces) {
    const all = rest + piece;
    rest = unfinished(all);
    shown += cleanOutput(all.slice(0, all.length - rest.length));
  }
  assert.equal(shown + rest, "a\x1b[31mbc");
});
