/**
 * A chat's items, and the changes that make them.
 *
 * Items are immutable, because a change that waits to be sent must not change.
 * The number of items is limited; the oldest ones are removed.
 */
import type { Change } from "../shared/messages.js";
import type { Item } from "../shared/model.js";
import { WholeTexts } from "./wholeTexts.js";

const maxItems = 5_000;
const maxText = 1 << 20;

export class Transcript {
  /** The whole of outputs that its calls show cut. */
  readonly wholes = new WholeTexts();
  // A map keeps insertion order, even when a value is replaced.
  readonly #items = new Map<string, Item>();
  readonly #emit: (change: Change) => void;
  #nextId = 0;

  constructor(emit: (change: Change) => void, items: readonly Item[] = []) {
    this.#emit = emit;
    for (const item of items) this.#items.set(item.id, item);
  }

  get items(): Item[] {
    return [...this.#items.values()];
  }

  get(id: string): Item | undefined {
    return this.#items.get(id);
  }

  /** Returns the item with that id if it has that type: agents may use any ids. */
  find<T extends Item["type"]>(type: T, id: string): Extract<Item, { type: T }> | undefined {
    const item = this.#items.get(id);
    return item?.type === type ? (item as Extract<Item, { type: T }>) : undefined;
  }

  /** Returns an id that no item has. */
  id(prefix: string): string {
    let id: string;
    do id = `${prefix}:${++this.#nextId}`;
    while (this.#items.has(id));
    return id;
  }

  put(item: Item): void {
    this.#items.set(item.id, item);
    this.#emit({ type: "item", item });
    if (this.#items.size <= maxItems) return;
    const [oldest] = this.#items.keys();
    if (oldest !== undefined) this.remove(oldest);
  }

  /** Replaces an item, and sends the view smaller changes instead. */
  patch(item: Item, changes: readonly Change[]): void {
    this.#items.set(item.id, item);
    for (const change of changes) this.#emit(change);
  }

  /** Appends text to a message or a thought. */
  append(id: string, text: string): void {
    const item = this.#items.get(id);
    if (item?.type !== "message" && item?.type !== "thought") return;
    const room = maxText - item.text.length;
    if (room <= 0) return;
    const more = text.length <= room ? text : `${text.slice(0, room)}\n\n… the rest is too long to show.`;
    this.patch({ ...item, text: item.text + more }, [{ type: "text", id, text: more }]);
  }

  remove(id: string): void {
    if (this.#items.delete(id)) this.#emit({ type: "remove", id });
  }

  clear(): void {
    for (const id of [...this.#items.keys()]) this.remove(id);
  }

  /** Only the last failure can be retried or remedied. */
  endRetries(): void {
    for (const item of this.items) {
      if (item.type !== "notice" || !(item.retry || item.fixes)) continue;
      const { retry: _, fixes: __, ...rest } = item;
      this.put(rest);
    }
  }
}
