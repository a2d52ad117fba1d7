/** Large workloads for the view's tests and benchmarks. */
import type { Change } from "../../src/shared/messages.js";
import type { Item } from "../../src/shared/model.js";
import { answer, everything, tool } from "./chats.js";

export const answers = 160;

/** An answer with a bit of everything, many times over, in 10,000 pieces. */
export function answerPieces(): Change[] {
  const text = Array.from({ length: answers }, () => answer).join("\n");
  const size = Math.ceil(text.length / 10_000);
  return cut(text, size).map((piece) => ({ type: "text", id: "m", text: piece }));
}

/** The message that the pieces belong to. */
export const message = (text: string): Item => ({ type: "message", id: "m", text, blocks: [] });

export const lines = 62_500;

/** The text of an output line. */
export const line = (index: number) => `line ${String(index).padStart(6, "0")} ${"·".repeat(4)}${"x".repeat(54)}`;

/** Coloured lines; together they are 5 MB. */
function output(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => {
    const shown = line(from + i);
    return `\u001b[3${(from + i) % 8}m${shown.slice(0, 11)}\u001b[0m${shown.slice(11)}\n`;
  }).join("");
}

export function outputPieces(): Change[] {
  return Array.from({ length: 1000 }, (_, i) => {
    const text = output(Math.round((i * lines) / 1000), Math.round(((i + 1) * lines) / 1000));
    return { type: "output", id: "c", index: 0, text };
  });
}

/** A tool call that prints; `whole` says whether all output is included. */
export function printing(whole: boolean): Item {
  const text = whole ? output(0, lines) : "";
  return tool({ id: "c", kind: "execute", status: "in_progress", content: [{ type: "terminal", terminalId: "x", text }] });
}

export const unbroken = "0123456789 ".repeat(95_000);

/** A megabyte without a break. */
export const longMessage = message(`\`\`\`\n${unbroken}\n\`\`\`\n\nThe end.`);

/** Turns with five items each. */
export function manyItems(turns: number): Item[] {
  return Array.from({ length: turns }, (_, turn) =>
    everything().slice(0, 5).map((item) => ({ ...item, id: `${item.id} ${turn}` })),
  ).flat();
}

function cut(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}
