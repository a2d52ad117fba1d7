/** Counts how much the view adds to the page between two frames, during which no key is handled. */
import type { View } from "./view.js";

export interface Counts {
  /** Finished Markdown blocks. */
  blocks: number;
  /** Rows of output. */
  rows: number;
  items: number;
  characters: number;
}

export interface Put {
  /** The maximum between two frames. */
  inAFrame: Counts;
  inAll: Counts;
}

/** Starts counting what is added to the log; the returned function reports the counts. */
export async function countPerFrame(view: View): Promise<() => Promise<Put>> {
  await view.page.evaluate(() => {
    const selectors = { blocks: ".block.finished", rows: ".row", items: ".chunk > .item" };
    const none = { blocks: 0, rows: 0, items: 0, characters: 0 };
    const put = { inAFrame: { ...none }, inAll: { ...none } };
    let now = { ...none };
    const add = (node: Node) => {
      now.characters += node.textContent?.length ?? 0;
      if (!(node instanceof Element)) return;
      for (const kind of ["blocks", "rows", "items"] as const) {
        now[kind] += node.querySelectorAll(selectors[kind]).length + (node.matches(selectors[kind]) ? 1 : 0);
      }
    };
    const observer = new MutationObserver((records) => records.forEach(({ addedNodes }) => addedNodes.forEach(add)));
    observer.observe(document.querySelector(".log")!, { childList: true, subtree: true });
    const frame = () => {
      for (const kind of ["blocks", "rows", "items", "characters"] as const) {
        put.inAFrame[kind] = Math.max(put.inAFrame[kind], now[kind]);
        put.inAll[kind] += now[kind];
      }
      now = { ...none };
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { put });
  });
  return async () => {
    await view.frames();
    return view.page.evaluate(() => (window as unknown as { put: Put }).put);
  };
}
