/**
 * Which chunks of the chat are drawn: those near the visible part, and those that are
 * needed elsewhere, for example because the selection goes through them.
 */
import { flushSync } from "preact/compat";

/** Pixels above and below the visible part in which chunks are drawn. */
const margin = 1200;

type Report = (near: boolean, height: number) => void;

export class Nearness {
  private readonly reports = new Map<Element, Report>();
  private readonly listeners = new Set<() => void>();
  private observer: IntersectionObserver | undefined;
  /** The chunks that are needed, by what needs them. */
  private readonly needs = new Map<string, ReadonlySet<number>>();

  /** Begins to watch; `root` is the scrolled element. */
  start(root: Element): () => void {
    this.needs.clear();
    this.observer = new IntersectionObserver((entries) => this.note(entries), { root, rootMargin: `${margin}px 0px` });
    for (const element of this.reports.keys()) this.observer.observe(element);
    return () => this.observer?.disconnect();
  }

  /** Reports whether an element is near, and its height. */
  watch(element: Element, report: Report): () => void {
    this.reports.set(element, report);
    this.observer?.observe(element);
    return () => {
      this.reports.delete(element);
      this.observer?.unobserve(element);
    };
  }

  needed(key: number): boolean {
    for (const keys of this.needs.values()) if (keys.has(key)) return true;
    return false;
  }

  /** Draws chunks at once and keeps them, until the same `who` needs others. */
  need(who: string, keys: Iterable<number>): void {
    const before = this.needs.get(who);
    const now = new Set(keys);
    if ((before?.size ?? 0) === now.size && [...now].every((key) => before?.has(key))) return;
    this.needs.set(who, now);
    flushSync(() => this.listeners.forEach((listener) => listener()));
  }

  onNeed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private note(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) this.reports.get(target)?.(isIntersecting, boundingClientRect.height);
  }
}

export const nearness = new Nearness();

/** Returns the keys of the chunks that contain a node, the innermost first. */
export function keysAt(node: Node | null): number[] {
  const keys: number[] = [];
  const element = node instanceof Element ? node : node?.parentElement;
  for (let at = element?.closest<HTMLElement>(".chunk"); at; at = at.parentElement?.closest<HTMLElement>(".chunk")) keys.push(Number(at.dataset["chunk"]));
  return keys;
}
