/** The places of the chat's items: at the top level, or inside a tool call. */
import { Chunks, type Chunk } from "./chunks.js";

/** Tool calls nested deeper than this are shown next to each other. */
const deepest = 6;

export class Tree {
  private readonly top = new Chunks();
  private readonly inside = new Map<string, Chunks>();
  private readonly parents = new Map<string, string>();

  /** Returns the items inside a tool call; without an id, those at the top level. */
  list(parent?: string): Chunks {
    return (parent === undefined ? this.top : this.inside.get(parent)) ?? new Chunks();
  }

  parentOf(id: string): string | undefined {
    return this.parents.get(id);
  }

  /** Returns an item's id, and the ids of the tool calls around it, the innermost first. */
  path(id: string): string[] {
    const path: string[] = [];
    for (let at: string | undefined = id; at !== undefined; at = this.parents.get(at)) path.push(at);
    return path;
  }

  chunkOf(id: string): Chunk | undefined {
    return this.list(this.parents.get(id)).of(id);
  }

  /**
   * Places an item once and for all: at the end of an existing tool call, or of the top
   * level. `continues` says that it may belong to the same run as the one before.
   */
  add(id: string, parent: string | undefined, continues: boolean): Chunk {
    if (parent === undefined || !this.chunkOf(parent) || this.path(parent).length > deepest) return this.top.add(id, continues);
    const list = this.list(parent);
    this.inside.set(parent, list);
    this.parents.set(id, parent);
    return list.add(id, continues);
  }

  /** Removes an item; returns those that were inside it, which are without a place now. */
  remove(id: string): string[] {
    this.list(this.parents.get(id)).remove(id);
    this.parents.delete(id);
    const children = this.list(id).all.flatMap(({ ids }) => ids);
    this.inside.delete(id);
    for (const child of children) this.parents.delete(child);
    return children;
  }
}
