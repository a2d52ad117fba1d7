// Records the wire traffic in order, line by line. Only the wire shows the
// order in which messages were sent, because the SDK delivers them
// asynchronously.

import { faults as ownFaults } from "./own.mjs";
import { messageFaults } from "./schema.mjs";

export class Transcript {
  entries = []; // {from: "agent" | "client", kind, method, message}
  faults = [];
  #open = { agent: new Map(), client: new Map() }; // id → method of calls without a response
  #rest = { agent: "", client: "" };
  #decoder = { agent: new TextDecoder("utf-8", { fatal: true }), client: new TextDecoder() };
  #waiting = new Set();

  // feed takes bytes as they pass.
  feed(from, bytes) {
    try {
      this.#rest[from] += this.#decoder[from].decode(bytes, { stream: true });
    } catch {
      this.faults.push("bytes that are not UTF-8");
      return;
    }
    const lines = this.#rest[from].split("\n");
    this.#rest[from] = lines.pop();
    for (const line of lines) this.#line(from, line);
    for (const check of this.#waiting) check();
  }

  // end is called at EOF of the agent's output.
  end() {
    if (this.#rest.agent !== "") this.faults.push(`half a line at the end: ${this.#rest.agent}`);
    for (const [id, method] of this.#open.client) this.faults.push(`${method} (${id}) was never answered`);
  }

  // when resolves with the first matching entry, starting now or at index from.
  when(matches, from = 0) {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.entries.slice(from).find(matches);
        if (!found) return;
        this.#waiting.delete(check);
        resolve(found);
      };
      this.#waiting.add(check);
      check();
    });
  }

  #line(from, line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.faults.push(`${from} wrote a line that is not JSON: ${line.slice(0, 200)}`);
      return;
    }
    const other = from === "agent" ? "client" : "agent";
    const entry = { from, message, kind: "notification", method: message.method };
    if (!("method" in message)) {
      const id = JSON.stringify(message.id);
      entry.kind = "response";
      entry.method = this.#open[other].get(id);
      this.#open[other].delete(id);
    } else if ("id" in message) {
      entry.kind = "request";
      this.#open[from].set(JSON.stringify(message.id), message.method);
    }
    if (from === "agent") {
      const found = messageFaults(message, entry.kind === "response" ? entry.method : undefined);
      found.push(...ownFaults("acp-v1", message));
      this.faults.push(...found.map((fault) => `${fault} in ${line.slice(0, 2000)}`));
    }
    this.entries.push(entry);
  }
}
