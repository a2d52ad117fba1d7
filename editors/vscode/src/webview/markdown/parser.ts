/**
 * Markdown as agents write it: CommonMark with tables, task lists and bare web
 * addresses, without HTML.
 *
 * A link becomes an `a` without `href`, which nothing can follow; `data-href`
 * holds its target until `Markdown` interprets it. An external picture becomes a
 * link to it.
 */
import MarkdownIt, { type Token } from "markdown-it";
import { highlighted } from "./highlight.js";
import { isPicture, linkTarget } from "./links.js";
import { maths } from "./maths.js";
import { tasks } from "./tasks.js";

/** Quotes and lists nested deeper than this are shown as source text. */
const deepest = 20;

export const parser = new MarkdownIt({ html: false, linkify: true, typographer: false, maxNesting: deepest });

parser.use(tasks);
parser.use(maths);

// The parser itself would drop deeper content, so nobody would see it.
const tokenize = parser.block.tokenize.bind(parser.block);
parser.block.tokenize = (state, from, to) => {
  if (state.level < deepest) return tokenize(state, from, to);
  const token = state.push("code_block", "code", 0);
  token.content = state.getLines(from, to, state.blkIndent, false);
  token.map = [from, to];
  state.line = to;
};

parser.validateLink = (href) => isPicture(href) || linkTarget(href) !== undefined;
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

const { escapeHtml } = parser.utils;
const rules = parser.renderer.rules;

rules.link_open = (tokens, index) => {
  const href = attribute(tokens[index], "href");
  if (linkTarget(href) === undefined) return "<span>";
  return `<a role="link" tabindex="0" data-href="${escapeHtml(href)}" title="${escapeHtml(href)}">`;
};

rules.link_close = (tokens, index) => {
  for (let i = index - 1; i >= 0; i--) {
    const token = tokens[i];
    if (token?.type !== "link_open") continue;
    return linkTarget(attribute(token, "href")) === undefined ? "</span>" : "</a>";
  }
  return "</span>";
};

rules.image = (tokens, index) => {
  const token = tokens[index];
  const source = attribute(token, "src");
  const label = escapeHtml(token?.content || "image");
  if (isPicture(source)) return `<img src="${source}" alt="${label}">`;
  if (linkTarget(source) === undefined) return label;
  return `<a role="link" tabindex="0" data-href="${escapeHtml(source)}" title="${escapeHtml(source)}">${label}</a>`;
};

rules.fence = (tokens, index) => {
  const { content = "", info = "", map } = tokens[index] ?? {};
  // Only a fence that is closed has two lines more than its content.
  const closed = map && map[1] - map[0] === content.replace(/\n$/, "").split("\n").length + 2;
  return codeBlock(content, info, closed && info.trim() === "mermaid" ? ' class="diagram"' : "");
};

rules.code_block = (tokens, index) => codeBlock(tokens[index]?.content ?? "", "");

/** Table columns are aligned with classes, because the page's policy forbids style attributes. */
for (const name of ["th_open", "td_open"]) {
  rules[name] = (tokens, index) => {
    const token = tokens[index];
    const align = /text-align:(left|center|right)/.exec(attribute(token, "style"))?.[1];
    return align ? `<${token?.tag ?? "td"} class="align-${align}">` : `<${token?.tag ?? "td"}>`;
  };
}

function attribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? "");
}

function codeBlock(code: string, info: string, attributes = ""): string {
  const language = /^[\w+#.-]{1,30}/.exec(info.trim())?.[0] ?? "";
  const text = code.replace(/\n$/, "");
  return `<pre${attributes} data-language="${escapeHtml(language)}"><code>${highlighted(text, language)}</code></pre>`;
}
