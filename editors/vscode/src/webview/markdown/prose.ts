/**
 * Markdown for reading aloud: words without markup, code as its language and
 * length, tables row by row.
 */
import type { Token } from "markdown-it";
import { visibleLine } from "../text/visible.js";
import { texOf } from "./maths.js";
import { parser } from "./parser.js";

export function prose(markdown: string, longest: number): string {
  const sentences: string[] = [];
  let row: string[] | undefined;
  let before = "";
  // Markup doesn't count towards the limit, so parse more than is spoken.
  for (const token of parser.parse(markdown.slice(0, 4 * longest), {})) {
    if (token.type === "tr_open") row = [];
    else if (token.type === "tr_close") {
      sentences.push(ended((row ?? []).filter((cell) => cell !== "").join(", ")));
      row = undefined;
    } else if (token.type === "list_item_open") before = taskWord(token);
    else if (token.type === "formula_block") sentences.push(ended(token.info === "" ? token.content : texOf(token.content)));
    else if (token.type === "fence" || token.type === "code_block") sentences.push(code(token));
    else if (token.type === "inline") {
      const said = before + words(token.children ?? []);
      before = "";
      if (row) row.push(said);
      else sentences.push(ended(said));
    }
  }
  return cut(visibleLine(sentences.filter((sentence) => sentence !== "").join(" ")), longest);
}

function taskWord(item: Token): string {
  const classes = String(item.attrGet("class") ?? "").split(" ");
  if (!classes.includes("task")) return "";
  return classes.includes("done") ? "Done: " : "Not done: ";
}

function code({ info, content }: Token): string {
  const language = /^[\w+#.-]{1,30}/.exec(info.trim())?.[0];
  const lines = content.replace(/\n$/, "").split("\n").length;
  return `Code${language ? ` in ${language}` : ""}, ${lines} ${lines === 1 ? "line" : "lines"}.`;
}

function words(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content }) => {
      if (type === "softbreak" || type === "hardbreak") return " ";
      if (type === "image") return content || "image";
      if (type === "formula") return texOf(content);
      return type === "text" || type === "text_special" || type === "code_inline" ? content : "";
    })
    .join("")
    .trim();
}

/** Adds a full stop, at which a voice pauses. */
const ended = (text: string): string => (text === "" || /[\p{P}]$/u.test(text) ? text : `${text}.`);

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const space = text.lastIndexOf(" ", longest);
  return `${text.slice(0, space > longest / 2 ? space : longest)} …`;
}
