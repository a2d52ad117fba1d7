/**
 * The last state of a chat, as it is shown without the server: bounded, without
 * pictures, and without anything that could be answered.
 */
import type { Chat, Item, ToolCall } from "../shared/model.js";

/** The most that is kept of a chat, and of one item, in characters of JSON. */
const mostOfChat = 512 << 10;
const mostOfItem = 64 << 10;

export function snapshot({ session, items, queue }: Chat, now: number): Chat {
  const kept: Item[] = [];
  let size = 0;
  for (const item of items.toReversed()) {
    const small = shrunk(still(item, now));
    size += JSON.stringify(small).length;
    if (size > mostOfChat) break;
    kept.unshift(small);
  }
  if (kept.length < items.length) kept.unshift(note("earlier", "Earlier messages are not kept offline."));
  const waits = items.some((item) => (item.type === "tool" && item.permission) || ((item.type === "question" || item.type === "login") && item.answer === undefined));
  if (waits) kept.push(note("waits", "The agent was waiting for an answer."));
  else if (session.status === "running") kept.push(note("runs", "The turn was still running."));
  const prompts = queue?.prompts.length ?? 0;
  if (prompts > 0) kept.push(note("queued", prompts === 1 ? "A queued message is not sent yet." : `${prompts} queued messages are not sent yet.`));
  const { chatId, title, agent, agentName, agents, folders } = session;
  return {
    session: {
      chatId, title, agent, agents, status: "idle", options: [], commands: [], accepts: { image: false, embedded: false }, offline: true,
      ...(agentName === undefined ? {} : { agentName }),
      ...(folders === undefined ? {} : { folders }),
    },
    items: kept,
  };
}

const note = (id: string, title: string): Item => ({ type: "notice", id: `offline-${id}`, severity: "info", title, quiet: true });

/** The item as something that neither goes on nor can be answered. */
function still(item: Item, now: number): Item {
  switch (item.type) {
    case "tool": {
      const { permission: _, ...rest } = item;
      const runs = item.status === "pending" || item.status === "in_progress";
      return runs ? { ...rest, status: "pending", ended: item.ended ?? now } : rest;
    }
    case "thought":
      return { ...item, ended: item.ended ?? now };
    case "plan":
      return { ...item, over: true };
    case "question":
    case "login":
      return { ...item, answer: item.answer ?? "Not answered" };
    case "notice": {
      const { retry: _, fixes: __, ...rest } = item;
      return rest;
    }
    case "changes":
      return { ...item, review: false, undo: false };
    default:
      return item;
  }
}

/** The item without pictures, and with less text if it is huge. */
function shrunk(item: Item): Item {
  if (item.type === "user") return cut({ ...item, attachments: item.attachments.map(({ data: _, ...rest }) => rest) });
  if (item.type === "message") return cut({ ...item, blocks: item.blocks.filter(({ type }) => type !== "image" && type !== "audio") });
  if (item.type === "tool") {
    const content = item.content.filter((one) => one.type !== "block" || (one.block.type !== "image" && one.block.type !== "audio"));
    const small: ToolCall = { ...item, content };
    return JSON.stringify(small).length <= mostOfItem ? small : { ...small, input: "", content: [{ type: "text", text: "This is too long to be kept offline.", markdown: false }] };
  }
  return item.type === "thought" ? cut(item) : item;
}

function cut<T extends { text: string }>(item: T): T {
  return item.text.length <= mostOfItem ? item : { ...item, text: `${item.text.slice(0, mostOfItem)}…` };
}
