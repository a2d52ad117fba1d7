/** Finds text in the chat, also in items that are not drawn. */
import type { Item } from "../../shared/model.js";
import { store } from "./hooks.js";
import { nearness } from "./nearness.js";

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

/** Draws an item, scrolls to it and marks the text in it. */
export function showFound(id: string, query: string): void {
  const root = store.rootOf(id);
  const chunk = store.chunks.of(root);
  if (!chunk) return;
  nearness.need("find", [chunk.key]);
  // A call may be inside a run or another call that is closed.
  const candidates = [id, ...chunk.ids.slice(0, chunk.ids.indexOf(root) + 1).reverse()];
  const element = candidates.map((one) => document.querySelector(`.log [data-id="${CSS.escape(one)}"]`)).find((found) => found !== null);
  if (!element) return;
  document.querySelector(".found")?.classList.remove("found");
  element.classList.add("found");
  const ranges = rangesIn(element, query.toLowerCase());
  CSS.highlights?.set(highlight, new Highlight(...ranges));
  (ranges[0]?.startContainer.parentElement ?? element).scrollIntoView({ block: "center" });
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
