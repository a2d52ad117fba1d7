/**
 * A minimal view: it applies the host's changes as documented. So a test sees what
 * a user would.
 */
import assert from "node:assert/strict";

import type { Change, ToView } from "../../src/shared/messages.js";
import type { AgentMessage, Item, Queue, Session, ToolCall } from "../../src/shared/model.js";

export class View {
  readonly taken: ToView[] = [];
  #items = new Map<string, Item>();
  #session: Session | undefined;
  #revision = -1;
  #waiting: (() => void)[] = [];
  queue: Queue = { prompts: [] };

  take(message: ToView): void {
    // A webview gets a copy, so only values that JSON can represent.
    const copy = JSON.parse(JSON.stringify(message)) as ToView;
    this.taken.push(copy);
    if (copy.type === "chat") {
      this.#revision = copy.revision;
      this.#session = copy.chat.session;
      this.queue = copy.chat.queue ?? { prompts: [] };
      this.#items = new Map(copy.chat.items.map((item) => [item.id, item]));
    } else if (copy.type === "changes") {
      assert.equal(copy.revision, this.#revision + 1, "a batch was missed");
      this.#revision = copy.revision;
      for (const change of copy.changes) this.#apply(change);
    }
    for (const look of this.#waiting.splice(0)) look();
  }

  get revision(): number {
    return this.#revision;
  }

  get session(): Session {
    assert.ok(this.#session, "the view has no chat yet");
    return this.#session;
  }

  get items(): Item[] {
    return [...this.#items.values()];
  }

  all<T extends Item["type"]>(type: T): Extract<Item, { type: T }>[] {
    return this.items.filter((i): i is Extract<Item, { type: T }> => i.type === type);
  }

  get text(): string {
    return this.all("message").map((m: AgentMessage) => m.text).join("");
  }

  get calls(): ToolCall[] {
    return this.all("tool");
  }

  /** Waits until a condition on the displayed chat holds. */
  async until(condition: () => unknown): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Waits for a call with a permission request. */
  async asks(): Promise<ToolCall & Required<Pick<ToolCall, "permission">>> {
    await this.until(() => this.#asking());
    return this.#asking() ?? assert.fail();
  }

  #asking(): (ToolCall & Required<Pick<ToolCall, "permission">>) | undefined {
    return this.calls.find((c): c is ToolCall & Required<Pick<ToolCall, "permission">> => c.permission !== undefined);
  }

  #apply(change: Change): void {
    if (change.type === "session") {
      this.#session = change.session;
      return;
    }
    if (change.type === "queue") {
      this.queue = change.queue;
      return;
    }
    if (change.type === "item") {
      this.#items.set(change.item.id, change.item);
      return;
    }
    const item = this.#items.get(change.id);
    assert.ok(item, `a change of ${change.id}, which is not shown`);
    if (change.type === "remove") {
      this.#items.delete(change.id);
    } else if (change.type === "text") {
      assert.ok(item.type === "message" || item.type === "thought");
      item.text += change.text;
    } else {
      assert.equal(item.type, "tool");
      const { content } = item as ToolCall;
      if (change.type === "content") {
        content[change.index] = change.content;
        return;
      }
      const part = content[change.index];
      assert.ok(part?.type === "text" || part?.type === "terminal");
      part.text += change.text;
    }
  }
}
