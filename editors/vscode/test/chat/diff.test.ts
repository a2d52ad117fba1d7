import assert from "node:assert/strict";
import { test } from "node:test";

import { changedLines } from "../../src/chat/changedLines.js";
import { makeDiff } from "../../src/chat/diff.js";

const show = (before: string | undefined, after: string): string[] => {
  const marks = { same: " ", added: "+", removed: "-", gap: "…" };
  return makeDiff("/x", before, after).lines.map(({ kind, text }) => marks[kind] + text);
};
const count = (n: number): string => Array.from({ length: n }, (_, i) => `${i}\n`).join("");

test("a difference shows what changes, with a few lines around it", () => {
  assert.deepEqual(show("a\nb\nc\n", "a\nB\nc\n"), [" a", "-b", "+B", " c"]);
  assert.deepEqual(show(count(10), count(10).replace("5", "five")), ["…", " 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8", "…"]);
  assert.deepEqual(show(undefined, "a\n"), ["+a"]);
  assert.deepEqual(show("a\n", ""), ["-a"]);
  assert.deepEqual(show("a\n", "a\n"), []);
});

test("a missing final line end changes no line, and is reported", () => {
  assert.deepEqual(show("a\nb", "a\nb\nc\n"), [" a", " b", "+c", "…newline added at the end of the file"]);
  assert.deepEqual(show("a\n", "a"), ["…newline removed at the end of the file"]);
});

test("different line ends are not changes", () => {
  assert.deepEqual(show("a\r\nb\r\n", "a\nB\n"), [" a", "-b", "+B"]);
});

test("texts that have nothing in common are compared in time, and cut", () => {
  const before = Array.from({ length: 200_000 }, (_, i) => `old ${i}\n`).join("");
  const { lines, added, removed } = makeDiff("/x", before, before.replaceAll("old", "new"));
  assert.deepEqual([added, removed], [200_000, 200_000]);
  assert.ok(lines.length <= 2_001);
  assert.ok(lines.some((l) => l.kind === "gap" && /omitted/.test(l.text)));
});

const lines = (n: number, text: (i: number) => string): string => Array.from({ length: n }, (_, i) => `${text(i)}\n`).join("");
const counts = (before: string, after: string): number[] => {
  const { added, removed } = makeDiff("/x", before, after);
  return [added, removed];
};

test("the diff of a large file does not depend on the speed of the comparison", (t) => {
  // A clock that jumps: code that reads it runs out of time.
  let now = 0;
  t.mock.method(Date, "now", () => (now += 1e6));
  t.mock.method(performance, "now", () => (now += 1e6));
  const before = lines(600, (i) => `line ${i}`);
  const rewritten = lines(600, (i) => (i >= 40 && i < 479 ? `changed ${i}` : `line ${i}`));
  assert.deepEqual(counts(before, rewritten), [439, 439]);
  const { lines: shown } = makeDiff("/x", before, rewritten);
  assert.deepEqual(shown.filter(({ kind }) => kind === "same").map(({ number }) => number), [38, 39, 40, 480, 481, 482]);
  // Every second line changes. With so many changes, the shortest diff isn't
  // computed.
  assert.deepEqual(counts(before, lines(600, (i) => (i % 2 ? `changed ${i}` : `line ${i}`))), [300, 300]);
  const long = lines(30_000, (i) => `line ${i}`);
  assert.deepEqual(counts(long, lines(30_000, (i) => (i % 2 ? `changed ${i}` : `line ${i}`))), [15_000, 15_000]);
  assert.deepEqual(counts(long, long + long), [30_000, 0]);
});

test("a difference leads from the old text to the new one", () => {
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
  for (let round = 0; round < 300; round++) {
    const kinds = 1 + random(30);
    const before = Array.from({ length: random(40) }, () => `${random(kinds)}`);
    const after = round % 2 ? Array.from({ length: random(40) }, () => `${random(kinds)}`) : before.filter(() => random(4) > 0);
    const changed = changedLines(before, after);
    const kept = (all: string[], flags: boolean[]): string[] => all.filter((_, i) => !flags[i]);
    assert.deepEqual(kept(before, changed.before), kept(after, changed.after));
    if (round % 2 === 0) assert.ok(!changed.after.includes(true), "lines only went");
  }
});

const numbered = (before: string | undefined, after: string, start?: number, part?: number): string[] =>
  makeDiff("/x", before, after, undefined, { start, part }).lines.map(({ kind, number }) => `${kind[0]}${number ?? ""}`);

test("lines have the numbers of the file, or none if their position is unknown", () => {
  assert.deepEqual(numbered("a\nb\nc\n", "a\nB\nB2\nc\n"), ["s1", "r2", "a2", "a3", "s4"]);
  assert.deepEqual(numbered(undefined, "a\nb"), ["a1", "a2"]);
  assert.deepEqual(numbered("b", "B\nB2"), ["r", "a", "a"]);
  assert.deepEqual(numbered("b", "B\nB2", 40), ["r40", "a40", "a41"]);
  assert.deepEqual(numbered("a\nb\n", "A\nb\n", 3, 40), ["r", "a40", "s41"], "the agent says where a part begins");
});

test("the words that differ are marked, and nothing where lines have little in common", () => {
  const marks = (before: string, after: string): unknown[] => makeDiff("/x", before, after).lines.map((l) => l.marks?.map(([from, to]) => l.text.slice(from, to)));
  assert.deepEqual(marks("let a = one(b);\n", "let a = two(b, c);\n"), [["one"], ["two", ", c"]]);
  assert.deepEqual(marks("keep\nreturn nothing at all\n", "keep\nif (x) throw y;\n"), [undefined, undefined, undefined]);
  assert.deepEqual(marks("a b c d\ne f g h\n", "a b c D\ne f g H\n"), [["d"], ["h"], ["D"], ["H"]]);
});
