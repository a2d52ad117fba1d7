/**
 * A list of items in chunks. The view draws only the chunks near the visible part,
 * because a chat or a sub-agent may have thousands of items.
 *
 * An item stays in its chunk, so that nothing that is drawn moves to another one.
 */
export interface Chunk {
  /** Unique among the chunks of all lists. */
  readonly key: number;
  /** Replaced when it changes. */
  ids: readonly string[];
  /** The average height of an item when it was last drawn, in pixels. */
  itemHeight?: number;
}

/** After so many items, a new chunk begins. */
const usual = 24;
/** Even if the next item continues a run. */
const most = 96;

let nextKey = 0;

export class Chunks {
  private readonly chunks: Chunk[] = [];
  private readonly places = new Map<string, Chunk>();

  get all(): readonly Chunk[] {
    return this.chunks;
  }

  of(id: string): Chunk | undefined {
    return this.places.get(id);
  }

  /** Adds an item at the end. `continues` says that it may belong to the same run as the one before. */
  add(id: string, continues: boolean): Chunk {
    let last = this.chunks.at(-1);
    if (!last || last.ids.length >= most || (last.ids.length >= usual && !continues)) {
      last = { key: nextKey++, ids: [] };
      this.chunks.push(last);
    }
    last.ids = [...last.ids, id];
    this.places.set(id, last);
    return last;
  }

  remove(id: string): void {
    const chunk = this.places.get(id);
    if (!chunk) return;
    this.places.delete(id);
    chunk.ids = chunk.ids.filter((other) => other !== id);
    if (chunk.ids.length === 0) this.chunks.splice(this.chunks.indexOf(chunk), 1);
  }

  /** Returns the last item that passes a test. */
  findLast(test: (id: string) => boolean): string | undefined {
    for (let i = this.chunks.length - 1; i >= 0; i--) {
      const id = this.chunks[i]?.ids.findLast(test);
      if (id !== undefined) return id;
    }
    return undefined;
  }
}
