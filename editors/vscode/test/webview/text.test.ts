/** The parts of the view that need no page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { count, duration, money, roughly } from "../../src/webview/frame/format.js";
import { GrowingMarkdown, longestBlock } from "../../src/webview/markdown/growing.js";
import { linkTarget } from "../../src/webview/markdown/links.js";
import { parser } from "../../src/webview/markdown/parser.js";
import { completed, matching, typedAt } from "../../src/webview/prompt/completion.js";
import { Lines } from "../../src/webview/text/lines.js";
import { coloursBefore, pieces, plain } from "../../src/webview/text/terminal.js";
import { visible, visibleLine } from "../../src/webview/text/visible.js";
import { answer } from "./chats.js";
import { corpus } from "./hostile.js";

const texts = [
  answer,
  "a\n\n# b\n#c\nd\n===\n- x\n\n  y\n- z\n1. q\n\n> quote\nlazy\n\n---\n***\nend",
  "```js\nlet x = '```';\n```\nafter\n~~~\n```\n~~~\n    indented\n\n    code\n\nlast",
  "| a | b |\n|---|---|\n| 1 | 2 |\nno | row\n\ntext\n| a |\n|---|\n",
  "one\r\ntwo\r\n\r\n```\r\ncode\r\n```\r\nthree",
  ...corpus,
];

/** Renders a message that arrives in pieces of a given length. */
function streamed(text: string, size: number): string {
  const growing = new GrowingMarkdown();
  const finished: string[] = [];
  let open = "";
  for (let i = 0; i < text.length; i += size) {
    const split = growing.append(text.slice(i, i + size));
    finished.push(...split.finished);
    open = split.open;
  }
  return [...finished, open].map((block) => parser.render(block)).join("");
}

test("a message becomes the same in pieces of any size as in one", () => {
  for (const text of texts) {
    const whole = parser.render(visible(text.replaceAll("\r\n", "\n")));
    if (/^\[[^\]]+\]: /.test(text)) continue; // definitions only work in their own block
    for (const size of [1, 2, 3, 7, 64, text.length]) assert.equal(streamed(text, size), whole, JSON.stringify(text.slice(0, 200)));
  }
});

test("a finished block is never taken back", () => {
  for (const text of texts) {
    const growing = new GrowingMarkdown();
    let finished = "";
    for (const character of text.replaceAll("\r\n", "\n")) {
      finished += growing.append(character).finished.join("");
      assert.ok(visible(text.replaceAll("\r\n", "\n")).startsWith(finished), JSON.stringify(text));
    }
  }
});

test("a block that is too long to be rendered repeatedly is split, and a code block continues", () => {
  const code = `\`\`\`go\n${"x := 1 // <b>\n".repeat(longestBlock / 4)}\`\`\`\n\nafter`;
  const growing = new GrowingMarkdown();
  const { finished, open } = growing.append(code);
  assert.ok(finished.length >= 3);
  assert.ok([...finished, open].every((block) => block.length <= longestBlock + 100));
  const html = [...finished, open].map((block) => parser.render(block)).join("");
  assert.equal(html.match(/:=/g)?.length, longestBlock / 4);
  assert.ok(html.endsWith("<p>after</p>\n"));
  assert.doesNotMatch(html, /<b>/);
});

test("a long line without a break is cut between characters", () => {
  const { finished, open } = new GrowingMarkdown().append("😀".repeat(longestBlock));
  assert.equal([...finished, open].join(""), "😀".repeat(longestBlock));
  assert.ok(finished.every((piece) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece)));
});

test("characters that hide or reverse text are escaped, and those that words need stay", () => {
  assert.equal(visible("a\u202eb\u2066c\u200bd\ufeff\u0007\u001b\u009b\r"), "a‹U+202E›b‹U+2066›c‹U+200B›d‹U+FEFF›‹U+0007›‹U+001B›‹U+009B›‹U+000D›");
  assert.equal(visible("\u{e0041}"), "‹U+E0041›");
  assert.equal(visible("ad\u200dmin"), "ad‹U+200D›min");
  for (const kept of ["👩\u200d💻 ❤\ufe0f", "می\u200cخواهم", "क्\u200dष", "a\tb\nc", "שלום", "e\u0301"]) assert.equal(visible(kept), kept);
  assert.equal(visible("one\r\ntwo"), "one\ntwo");
  assert.equal(visibleLine(" a\n b\u2028c "), "a b c");
});

test("links are web addresses and paths, and nothing else", () => {
  const web = ["https://example.org", "http://example.org:8080/a?b#c", "mailto:a@example.org"];
  for (const href of web) assert.deepEqual(linkTarget(href), { kind: "web", href });
  assert.deepEqual(linkTarget("src/a%20b.go#L12-L14"), { kind: "file", path: "src/a b.go", line: 12 });
  assert.deepEqual(linkTarget("/etc/hosts"), { kind: "file", path: "/etc/hosts" });
  const none = [
    "javascript:alert(1)", " JAVASCRIPT:alert(1)", "java\nscript:alert(1)", "java%73cript:alert(1)", "%6aavascript:alert(1)", "data:text/html,x",
    "command:x", "file:///etc/passwd", "vscode://x", "//evil.invalid/x", "%2f%2fevil.invalid", "\\\\evil\\x", "C:\\x", "https://user@evil.invalid", "https:evil", "#top", "", "%E0%A4%A", "a\u0000b",
  ];
  for (const href of none) assert.equal(linkTarget(href), undefined, href);
});

test("rows are the same in pieces of any size, without overwritten text", () => {
  const text = `one\r\n10%\r50%\r100%\n\n${"y".repeat(4500)}\nlast`;
  const rows = (lines: Lines) => Array.from({ length: lines.count }, (_, i) => lines.row(i));
  const expected = ["one", "100%", "", "y".repeat(2000), "y".repeat(2000), "y".repeat(500), "last"];
  for (const size of [1, 3, 1000, text.length]) {
    const lines = new Lines();
    for (let i = 0; i < text.length; i += size) lines.append(text.slice(i, i + size));
    assert.deepEqual(rows(lines), expected);
  }
});

test("colours go on in the next row until they are put back", () => {
  const lines = new Lines("a \u001b[1;32mb\nc\n\u001b[0md\n");
  assert.deepEqual(coloursBefore(lines, 1), ["\u001b[1;32m"]);
  assert.deepEqual(pieces("c", coloursBefore(lines, 1).join("")), [{ text: "c", classes: ["ansi-bold", "ansi-green"] }]);
  assert.deepEqual(coloursBefore(lines, 3), []);
  assert.deepEqual(pieces("\u001b[38;5;196mred"), [{ text: "red", classes: [], color: "255, 0, 0" }]);
  assert.deepEqual(pieces("\u001b[38;5;244mgrey"), [{ text: "grey", classes: [], color: "128, 128, 128" }]);
});

test("text in the colour of its own ground can be read", () => {
  assert.deepEqual(pieces("\u001b[38;2;9;9;9;48;2;9;9;9mhidden"), [{ text: "hidden", classes: [] }]);
});

test("no escape of a terminal is left in the text", () => {
  for (const text of corpus) {
    const shown = pieces(text.replaceAll("\n", " ")).map((piece) => piece.text).join("");
    // eslint-disable-next-line no-control-regex
    for (const made of [shown, plain(text)]) assert.doesNotMatch(made, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
  assert.equal(plain("\u001b[1mbold\u001b[0m \u001b]8;;https://x\u0007link\u001b]8;;\u0007"), "bold link");
});

test("commands are typed at the start of a line, mentions behind a space", () => {
  const at = (text: string) => typedAt(text, text.length);
  assert.deepEqual(at("/re"), { kind: "command", start: 0, query: "re" });
  assert.deepEqual(at("one\n/"), { kind: "command", start: 4, query: "" });
  assert.deepEqual(at("see @src/a"), { kind: "mention", start: 4, query: "src/a" });
  for (const text of ["a/b", " /x", "mail@host", "/run x", `${"x".repeat(200)}/run`]) assert.equal(at(text), undefined, text);
  assert.deepEqual(completed("see @sr now", { kind: "mention", start: 4, query: "sr" }, "@src"), { text: "see @src now", caret: 8 });
  assert.deepEqual(matching(["abc", "xa", "Ab"], (name) => name, "a"), ["abc", "Ab", "xa"]);
});

test("numbers are written for people", () => {
  assert.deepEqual([40, 1240, 12_400, 61_000, 3_700_000].map(duration), ["40 ms", "1.2 s", "12 s", "1 min 1 s", "1 h 1 min"]);
  assert.deepEqual([200, 2900, 75_000].map(roughly), ["1 s", "3 s", "1 min 15 s"]);
  assert.deepEqual([999, 1234, 48_213, 99_960, 1_250_000].map(count), ["999", "1.2k", "48.2k", "100k", "1.3M"]);
  assert.equal(money(0.1834, "USD"), "$0.18");
  assert.equal(money(0.0021, "USD"), "$0.0021");
  assert.equal(money(3, "<b>"), "3.00 <b>");
});
