/** Highlights code as HTML with class names. Code in an unknown language, or too long, stays plain. */
import hljs from "highlight.js/lib/common";

/** Longer code isn't highlighted: grammars are slow on some texts. */
const longest = 8_000;
const longestLine = 2_000;

export function highlighted(code: string, language: string): string {
  if (code.length > longest || !hljs.getLanguage(language) || new RegExp(`[^\\n]{${longestLine}}`).test(code)) {
    return escaped(code);
  }
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

export function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
