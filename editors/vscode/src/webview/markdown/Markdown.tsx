/**
 * The agent's Markdown, as it streams.
 *
 * The text never becomes part of Preact's tree: finished blocks are added to the
 * page once, and only the last one is rendered again when more text arrives.
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import { drop, work } from "../frame/work.js";
import { decorate } from "./decorate.js";
import { GrowingMarkdown, longestBlock } from "./growing.js";
import { parser } from "./parser.js";
import { sanitised } from "./sanitise.js";

class Rendering {
  private text = "";
  private taken = 0;
  private growing = new GrowingMarkdown();
  private queue: string[] = [];
  private open = "";
  private openShown = "";
  private readonly last = document.createElement("div");

  constructor(private readonly container: HTMLElement) {
    this.clear();
  }

  show(text: string): void {
    if (!text.startsWith(this.text)) this.clear();
    this.text = text;
    work(this.step);
  }

  stop(): void {
    drop(this.step);
  }

  private clear(): void {
    this.taken = 0;
    this.growing = new GrowingMarkdown();
    this.queue = [];
    this.open = this.openShown = "";
    this.last.className = "block";
    this.container.replaceChildren(this.last);
    this.last.replaceChildren();
  }

  /** Renders one block, or splits the next piece of text. */
  private readonly step = (): boolean => {
    const block = this.queue.shift();
    if (block !== undefined) {
      if (this.openShown !== "") this.last.replaceChildren();
      this.openShown = "";
      const element = document.createElement("div");
      element.className = "block finished";
      fill(element, block);
      if (element.hasChildNodes()) this.last.before(element);
    } else if (this.taken < this.text.length) {
      const end = this.taken + longestBlock;
      const split = this.growing.append(this.text.slice(this.taken, end));
      this.taken = Math.min(end, this.text.length);
      this.queue = split.finished;
      this.open = split.open;
    } else if (this.open !== this.openShown) {
      this.openShown = this.open;
      fill(this.last, this.open);
    }
    return this.queue.length > 0 || this.taken < this.text.length || this.open !== this.openShown;
  };
}

function fill(element: HTMLElement, markdown: string): void {
  const fragment = sanitised(parser.render(markdown));
  decorate(fragment);
  element.replaceChildren(fragment);
}

export function Markdown({ text }: { text: string }) {
  const container = useRef<HTMLDivElement>(null);
  const rendering = useRef<Rendering>(null);
  useLayoutEffect(() => {
    if (container.current === null) return undefined;
    rendering.current = new Rendering(container.current);
    return () => rendering.current?.stop();
  }, []);
  useLayoutEffect(() => rendering.current?.show(text), [text]);
  return <div class="markdown" dir="auto" ref={container} />;
}
