/** Whatever Markdown an agent writes, the view shows its words, with nothing but its own elements. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GrowingMarkdown, longestBlock } from "../../src/webview/markdown/growing.js";
import { isPicture, linkTarget } from "../../src/webview/markdown/links.js";
import { parser } from "../../src/webview/markdown/parser.js";
import { visible } from "../../src/webview/text/visible.js";
import { numbers, randomMarkdown } from "./randomMarkdown.js";

const cases = 1000;
/** A link definition is not shown, and affects other links. */
const definition = /^[ >\-*\d.)]*\[[^\]]*\]:/m;

const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*) ?\/?>/y;
const attribute = / ([a-z-]+)="([^"<>]*)"/g;
const tags = new Set(
  "a blockquote br code em h1 h2 h3 h4 h5 h6 hr img li ol p pre s span strong table tbody td th thead tr ul".split(" "),
);

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|amp|#x27);/g, (_, name: string) => ({ lt: "<", gt: ">", quot: '"', amp: "&", "#x27": "'" })[name] ?? "");
}

/** Returns the text between HTML tags; the view must know each tag. */
function textOf(html: string): string {
  let text = "";
  for (let at = 0; at < html.length; ) {
    if (html[at] !== "<") {
      const end = html.indexOf("<", at);
      text += html.slice(at, end < 0 ? html.length : end);
      at = end < 0 ? html.length : end;
      continue;
    }
    tag.lastIndex = at;
    const found = tag.exec(html);
    assert.ok(found, `no tag of ours: ${html.slice(at, at + 100)}`);
    assert.ok(tags.has(found[2] ?? ""), `<${found[2]}>`);
    for (const [, name, value] of (found[3] ?? "").matchAll(attribute)) {
      const meant = unescaped(value ?? "");
      if (name === "data-href") assert.notEqual(linkTarget(meant), undefined, meant);
      else if (name === "src") assert.ok(isPicture(meant), meant.slice(0, 100));
      else assert.ok(["alt", "class", "data-language", "role", "start", "tabindex", "title"].includes(name ?? ""), name);
      if (name === "alt" || name === "title") text += ` ${value} `;
    }
    at = tag.lastIndex;
  }
  return unescaped(text);
}

test("no Markdown makes elements of its own, grows out of bounds or loses words", () => {
  for (let seed = 1; seed <= cases; seed++) {
    const { text, words } = randomMarkdown(seed);
    const told = `seed ${seed}: ${JSON.stringify(text)}`;
    try {
      const shown = visible(text);
      const html = parser.render(shown);
      assert.ok(html.length <= 300 * shown.length + 1000, `${html.length} characters of ${shown.length}`);
      const seen = textOf(html);
      // Skip texts with hidden parts: the info string after a fence, and our
      // own data: images.
      if (definition.test(shown) || /[`~]{3}|data:/.test(shown)) continue;
      for (const word of words) assert.ok(seen.includes(word), `${word} is lost: ${html}`);
    } catch (error) {
      assert.fail(`${told}\n${String(error)}`);
    }
  }
});

test("too deeply nested quotes and lists are shown as source", () => {
  for (const mark of ["> ", "- ", "1) "]) {
    const html = parser.render(`${mark.repeat(60)}rm -rf build\n\nafter`);
    assert.match(textOf(html), /rm -rf build[^]*after/);
  }
});

test("a random message looks the same in pieces as at once", () => {
  for (let seed = 1; seed <= cases; seed++) {
    const { text } = randomMarkdown(seed);
    const number = numbers(seed + cases);
    const growing = new GrowingMarkdown();
    const finished: string[] = [];
    let open = "";
    for (let at = 0; at < text.length; ) {
      const end = at + 1 + Math.floor(number() * 40);
      const split = growing.append(text.slice(at, end));
      finished.push(...split.finished);
      open = split.open;
      at = end;
    }
    const told = `seed ${seed}: ${JSON.stringify(text)}`;
    const all = [...finished, open].join("");
    if (text.length <= longestBlock) assert.equal(all, visible(text.replaceAll("\r\n", "\n")), told);
    for (const block of [...finished, open]) assert.ok(block.length <= 10 * longestBlock, told);
    if (text.length > longestBlock || definition.test(text)) continue; // definitions only work in their own block
    assert.equal([...finished, open].map((block) => parser.render(block)).join(""), parser.render(all), told);
  }
});

test("only a list item with a box is a task", () => {
  const items = (markdown: string): (string | null)[] => [...parser.render(markdown).matchAll(/<li(?: class="([^"]*)")?>/g)].map((match) => match[1] ?? null);
  assert.deepEqual(items("- [ ] a\n- [x] b\n- [X] c\n  1. [ ] d\n- [y] e\n- a [x] b\n- [x]\n- [x](y) b"), ["task", "task done", "task done", "task", null, null, null, null]);
  assert.doesNotMatch(parser.render("- [x] done\n\n- [ ] not"), /\[[x ]\]/);
});
