/**
 * Chats stored by earlier versions of the extension. The agent's journal can't
 * import them, so each becomes a Markdown file, once, and the old files are
 * removed.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Item, ToolContent } from "../shared/model.js";

interface Entry {
  id: string;
  title: string;
  agent: string;
  updatedAt: string;
}

/**
 * Converts the chats in `from` to files in `to`; returns their number. If that
 * fails, the old files stay.
 */
export async function saveOldChats(from: string, to: string): Promise<number> {
  const index = await text(join(from, "index.json"));
  if (index === undefined) return 0;
  const entries = entriesOf(index);
  const chats = (await readdir(from)).filter((name) => name.endsWith(".json") && name !== "index.json");
  if (chats.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  for (const chat of chats) {
    const entry = entries.find(({ id }) => chat === `${id}.json`);
    const written = entry && readable(entry, await text(join(from, chat)));
    // Copy an unreadable chat unchanged.
    if (written === undefined) await copyFile(join(from, chat), join(to, chat));
    else await writeFile(join(to, `${nameOf(entry!)}.md`), written, { mode: 0o600 });
  }
  await rm(from, { recursive: true });
  return chats.length;
}

function readable(entry: Entry, file: string | undefined): string | undefined {
  try {
    return markdown(entry, JSON.parse(file ?? "") as Item[]);
  } catch {
    return undefined;
  }
}

async function text(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(ifThere);
}

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function entriesOf(index: string): Entry[] {
  try {
    const { entries } = JSON.parse(index) as { entries: (Partial<Entry> | null)[] };
    return entries.filter((e): e is Entry => [e?.id, e?.title, e?.agent, e?.updatedAt].every((v) => typeof v === "string"));
  } catch {
    return [];
  }
}

/**
 * Returns a file name that is valid on any system; the id keeps chats with the same
 * title apart.
 */
function nameOf({ id, title, updatedAt }: Entry): string {
  const plain = title.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  return `${updatedAt.slice(0, 10).replace(/[^\d-]/g, "")} ${[...plain].slice(0, 60).join("").trim()} ${id.slice(0, 8)}`;
}

function markdown({ title, agent, updatedAt }: Entry, items: readonly Item[]): string {
  const parts = items.map((item) => part(item)).filter((p) => p.trim() !== "");
  return `${[`# ${title}`, `${agent}, ${updatedAt}`, ...parts].join("\n\n")}\n`;
}

function part(item: Item): string {
  switch (item.type) {
    case "user":
      return ["## You", item.text, ...list(item.attachments.map((a) => a.label))].join("\n\n");
    case "message":
      return item.text;
    case "thought":
      return `> ${item.text.replaceAll("\n", "\n> ")}`;
    case "tool":
      return [`### ${item.title} (${item.status})`, item.input && fenced(item.input), ...item.content.map(content), item.decision].filter(Boolean).join("\n\n");
    case "plan":
      return item.entries.map((e) => `- [${e.status === "completed" ? "x" : " "}] ${e.content}`).join("\n");
    case "notice":
      return [`**${item.title}**`, item.description].filter(Boolean).join("\n\n");
    case "question":
    case "login":
      return [`**${item.message}**`, item.answer].filter(Boolean).join("\n\n");
    default:
      return fenced(JSON.stringify(item));
  }
}

function content(part: ToolContent): string {
  switch (part.type) {
    case "diff":
      return fenced([`${part.label ?? part.path}`, ...part.lines.map((l) => `${signs[l.kind]}${l.text}`)].join("\n"));
    case "block":
      return fenced(JSON.stringify(part.block));
    default:
      return fenced(part.text);
  }
}

const signs = { same: " ", added: "+", removed: "-", gap: "… " };
const list = (labels: readonly string[]): string[] => (labels.length > 0 ? [labels.map((label) => `- ${label}`).join("\n")] : []);

/** Fences a text with more backticks than any fence in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, "")}\n${fence}`;
}
