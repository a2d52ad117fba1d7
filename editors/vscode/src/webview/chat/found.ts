/** Finds text in the chat, also in items that are not drawn. */
import { flushSync } from "preact/compat";
import type { Item } from "../../shared/model.js";
import { setExpanded, store } from "./hooks.js";
import { nearness } from "./nearness.js";
import { entriesOf } from "./Run.js";

/** The name of the highlighted ranges, in the style sheet too. */
const highlight = "turnwire-found";

/** Returns the ids of the items that contain a text, in any case. */
export function findItems(query: string): string[] {
  const wanted = query.toLowerCase();
  return wanted === "" ? [] : store.all().filter((item) => textOf(item).toLowerCase().includes(wanted)).map(({ id }) => id);
}

/** The text that an item shows, if it is open. */
function textOf(item: Item): string {
  switch (item.type) {
    case "user":
    case "message":
    case "thought":
      return item.text;
    case "tool":
      return [item.title, item.input, ...item.content.map((part) => (part.type === "text" || part.type === "terminal" ? part.text : part.type === "diff" ? `${part.path}\n${part.newText}` : ""))].join("\n");
    case "plan":
      return item.entries.map(({ content }) => content).join("\n");
    case "changes":
      return item.files.map(({ path }) => path).join("\n");
    case "notice":
      return `${item.title}\n${item.description ?? ""}`;
    case "question":
    case "login":
      return `${item.message}\n${item.answer ?? ""}`;
  }
}

/** Draws an item, opens what it is inside, scrolls to it and marks the text in it. */
export function showFound(id: string, query: string): void {
  const path = store.tree.path(id);
  flushSync(() => path.forEach(openAround));
  nearness.need("find", path.flatMap((one) => store.tree.chunkOf(one)?.key ?? []));
  const element = document.querySelector(`.log .item:not(.item-run)[data-id="${CSS.escape(id)}"]`);
  if (!element) return;
  document.querySelector(".found")?.classList.remove("found");
  element.classList.add("found");
  const ranges = rangesIn(element, query.toLowerCase());
  CSS.highlights?.set(highlight, new Highlight(...ranges));
  (ranges[0]?.startContainer.parentElement ?? element).scrollIntoView({ block: "center" });
}

/** Opens the call and the run that an item is directly inside. */
function openAround(id: string): void {
  const parent = store.tree.parentOf(id);
  const run = entriesOf(store.tree.chunkOf(id)?.ids ?? []).find((entry) => typeof entry !== "string" && entry.includes(id));
  for (const key of [parent, run && `run ${run[0]}`]) {
    if (key !== undefined && store.session) setExpanded(store.session.chatId, key, true);
  }
}

export function forgetFound(): void {
  nearness.need("find", []);
  CSS.highlights?.delete(highlight);
  document.querySelector(".found")?.classList.remove("found");
}

function rangesIn(element: Element, wanted: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? "";
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + wanted.length, node.textContent?.length ?? 0));
      ranges.push(range);
    }
  }
  return ranges;
}
