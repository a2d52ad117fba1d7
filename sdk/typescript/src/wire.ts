// The two pipes: events out, commands in. Handlers never see this module.

import type { AgentCommand, SteerCommand } from "./events.js";

/**
 * The user cancelled the turn. Don't catch it, or clean up and throw it again.
 */
export class Cancelled extends Error {
  override name = "AbortError";
  constructor() {
    super("The turn was cancelled.");
  }
}

type Answer = Extract<AgentCommand, { type: `${string}_response` }>;
type Waiting = { resolve: (answer: never) => void; reject: (error: unknown) => void };

export class Wire {
  #waiting = new Map<string, Waiting>();
  /** The user's messages during turns that no handler has read. */
  steers: SteerCommand[] = [];
  #ids = 0;
  #write: (line: string) => void;

  constructor() {
    // Other output to stdout must not reach the pipe.
    const write = process.stdout.write.bind(process.stdout);
    this.#write = (line) => void write(line);
    process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
    process.on("unhandledRejection", (error) => console.error(error)); // an unhandled rejection must not end the session
    process.stdout.on("error", () => process.exit(0)); // nobody reads the output any more
  }

  newId(kind: string): string {
    return `${kind}-${++this.#ids}`;
  }

  /** Writes an event as one line, immediately. */
  write(event: object): void {
    // JSON text has no line breaks, and escapes lone surrogates.
    this.#write(JSON.stringify(event) + "\n");
  }

  /** Waits for the command with this type and id. */
  answer<A extends Answer>(type: A["type"], id: string): Promise<A> {
    const answer = new Promise<A>((resolve, reject) => this.#waiting.set(`${type} ${id}`, { resolve, reject }));
    answer.catch(() => {}); // a handler may have stopped waiting
    return answer;
  }

  /** Tells all pending requests that no response will come. */
  withdraw(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Cancelled());
  }

  /** Reads commands until EOF. Passes those that aren't responses to other. */
  async read(other: (command: AgentCommand) => void): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of process.stdin) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.#line(line, other);
    }
  }

  #line(line: string, other: (command: AgentCommand) => void): void {
    let command: AgentCommand;
    try {
      command = JSON.parse(line) as AgentCommand;
    } catch {
      console.error(`turnwire: not a command: ${line.slice(0, 200)}`);
      return;
    }
    const id =
      command.type === "question_response" ? command.questionId
      : command.type === "editor_response" ? command.requestId
      : command.type === "tool_confirmation_response" ? command.confirmationId
      : command.type === "tool_response" ? command.toolCallId
      : undefined;
    if (id === undefined) return other(command);
    const key = `${command.type} ${id}`;
    this.#waiting.get(key)?.resolve(command as never);
    this.#waiting.delete(key);
  }
}
