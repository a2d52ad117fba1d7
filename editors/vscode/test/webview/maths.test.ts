/** What is a formula, and what is text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GrowingMarkdown } from "../../src/webview/markdown/growing.js";
import { texOf } from "../../src/webview/markdown/maths.js";
import { prose } from "../../src/webview/markdown/prose.js";
import { parser } from "../../src/webview/markdown/parser.js";

/** The formulas in a text: displayed ones are in brackets. */
function formulas(markdown: string): string[] {
  const found = [...parser.render(markdown).matchAll(/<code class="tex( display)?">([^<]*)<\/code>/g)];
  return found.map(([, display, source = ""]) => (display ? `[${texOf(source)}]` : texOf(source)));
}

test("prices, variables and code are text", () => {
  for (const text of [
    "$5 and $10", "It costs $5.", "US$5 and US$6", "$5-$10", "between 5$ and 10$", "$HOME:$PATH", "$HOME and $PATH", "a $ b $ c", "$ a$", "$a $", "$$", "$$$$",
    "\\$a\\$", "$a\\$", "`$a$`", "$5 or `a$`", "`` $a$ `` and $5", "    $a$", "```\n$$\na\n$$\n```", "\\\\(a\\\\)", "\\(\\)", "$$ a", "x$a$", "$a$b", "$a\n\nb$",
    `$${"a".repeat(2000)}$`,
  ]) assert.deepEqual(formulas(text), [], text);
});

test("formulas are found within lines and on their own", () => {
  for (const [text, ...wanted] of [
    ["so $a$ is", "a"],
    ["($x_1$, $y_1$).", "x_1", "y_1"],
    ["$a < b & c$", "a &lt; b &amp; c"],
    ["*$a$* and **$b$**", "a", "b"],
    ["$a_b c_d$", "a_b c_d"],
    ["\\(a\\), \\[b\\]", "a", "[b]"],
    ["a $$b$$ c", "[b]"],
    ["$$b$$", "[b]"],
    ["$$\na\n$$", "[a]"],
    ["text:\n$$\na\n- b\n+ c\n= d\n$$\nmore $e$", "[a\n- b\n+ c\n= d]", "e"],
    ["\\[\na \\\\\nb\n\\]", "[a \\\\\nb]"],
    ["$$\\begin{aligned}\na\n\\end{aligned}$$", "[\\begin{aligned}\na\n\\end{aligned}]"],
    ["- a\n\n  $$\n  b\n  $$\n\n> $$\n> c\n> $$", "[b]", "[c]"],
    ["| a |\n|---|\n| $b$ |", "b"],
    ["# $a$", "a"],
    ["$\\$5$", "\\$5"],
    ["$$\na\n$$, where $b$", "[a]", "b"],
    ["$5 and $x$", "x"],
  ]) assert.deepEqual(formulas(text ?? ""), wanted, text);
});

test("a formula without an end keeps its text", () => {
  for (const text of ["$$\na\n\nb", "$$\na", "\\[\na\n\nb", "$$a\n\nb", "> $$\n> a\n\nb"]) {
    const html = parser.render(text);
    assert.deepEqual(formulas(text), []);
    assert.match(html, /a/);
    if (text.endsWith("b")) assert.match(html, /b/);
  }
});

test("formulas look the same in pieces as at once", () => {
  const text = "One $a$ and $5.\n\n$$\na\n- b\n$$\n\n1. x\n\n   \\[\n   c\n   \\]\n\nText\n$$\nd\n\n+ e\n$$\n\n$$\\begin{x}\n+ f\n\\end{x}$$\n";
  for (let size = 1; size < 30; size++) {
    const growing = new GrowingMarkdown();
    const blocks: string[] = [];
    let open = "";
    for (let at = 0; at < text.length; at += size) {
      const split = growing.append(text.slice(at, at + size));
      blocks.push(...split.finished);
      open = split.open;
    }
    assert.equal([...blocks, open].map((block) => parser.render(block)).join(""), parser.render(text), `pieces of ${size}`);
  }
});

test("formulas are announced without their dollar signs", () => {
  assert.equal(prose("So $a_1$ is:\n\n$$\nb = 2\n$$\n\nIt costs $5.", 1000), "So a_1 is: b = 2. It costs $5.");
});

test("code is a diagram once its fence is closed, if all of it is there", () => {
  const isDiagram = (markdown: string): boolean => parser.render(markdown).includes('class="diagram"');
  for (const text of ["```mermaid\na\n```", "~~~~ mermaid\na\n\n~~~~\n", "- ```mermaid\n  a\n  ```", "> ```mermaid\n> a\n> ```"]) assert.ok(isDiagram(text), text);
  for (const text of ["```mermaid\na\n", "```mermaid\na", "```mermaid", "```mermaid x\na\n```", "```mermaids\na\n```", "```\na\n```"]) assert.ok(!isDiagram(text), text);
  const growing = new GrowingMarkdown();
  const { finished, open } = growing.append(`\`\`\`mermaid\n${"a --> b\n".repeat(2000)}\`\`\`\n`);
  assert.ok(finished.length > 0);
  for (const block of [...finished, open]) assert.ok(!isDiagram(block), block.slice(0, 40));
});
