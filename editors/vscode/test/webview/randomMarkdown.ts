/** Random Markdown: pieces of its syntax and attacks on it, between words that can be found again. */
import { corpus } from "./hostile.js";

/** Returns numbers from 0 to 1, deterministic for a seed. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // The high bits of a linear congruential generator with a full period.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

const syntax = [
  "\n", "\n\n", "\n", "  \n", "\r\n", "    ", "\t", " ", " ", "# ", "###### ", "> ", ">", "- ", "* ", "1. ", "99) ", "---\n", "***\n", "===\n",
  "```", "```js\n", "~~~~\n", "`", "``", "*", "**", "_", "__", "~~", "[", "]", "(", ")", "](", "![", "](https://example.org/", "](main.go:12)",
  "](javascript:", "](data:image/png;base64,AAAA)", "<", ">", "</", "/>", "<a href=", "<script>", "&lt;", "&#106;", "&", "\\", "|", "| a | b |\n|---|:-:|\n|",
  "https://example.org/a?b=c", "mailto:a@b.c", ":", "\"", "'", "=", "onerror=", "{", "}", "\u0000", "\u202e", "\u200b", "\ud83d", "🙂", "ä", "e\u0301",
];

export interface Random {
  text: string;
  /** The words in it, none of which may be lost. */
  words: string[];
}

export function randomMarkdown(seed: number): Random {
  const number = numbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(number() * from.length)] as T;
  const words: string[] = [];
  let text = "";
  const parts = 1 + Math.floor(number() * 60);
  for (let i = 0; i < parts; i++) {
    const kind = number();
    if (kind < 0.4) text += pick(syntax);
    else if (kind < 0.42) text += pick(syntax).repeat(1 + Math.floor(number() * 100));
    else if (kind < 0.46) text += pick(corpus);
    else {
      const word = `w${seed}x${words.length}z`;
      words.push(word);
      text += word;
    }
  }
  return { text, words };
}
