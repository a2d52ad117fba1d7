/**
 * The rows of a growing text.
 *
 * A tool may print megabytes in small pieces. The cost of appending depends
 * only on the piece; nothing is ever split again.
 */

/** The longest row; a longer line continues in the next row. */
const longestRow = 2000;

export class Lines {
  private readonly done: string[] = [];
  private last = "";

  constructor(text = "") {
    this.append(text);
  }

  /** The number of rows, without an empty one after the last line feed. */
  get count(): number {
    return this.done.length + (this.last === "" ? 0 : 1);
  }

  row(index: number): string {
    return this.done[index] ?? this.last;
  }

  append(text: string): void {
    let from = 0;
    for (;;) {
      const end = text.indexOf("\n", from);
      if (end < 0) break;
      this.last += text.slice(from, end);
      this.finish();
      from = end + 1;
    }
    this.last += text.slice(from);
    while (this.last.length > longestRow) this.cut();
  }

  private finish(): void {
    while (this.last.length > longestRow) this.cut();
    this.done.push(overwritten(this.last));
    this.last = "";
  }

  /** Completes a full row without splitting a surrogate pair. */
  private cut(): void {
    const code = this.last.charCodeAt(longestRow - 1);
    const end = code >= 0xd800 && code < 0xdc00 ? longestRow - 1 : longestRow;
    this.done.push(overwritten(this.last.slice(0, end)));
    this.last = this.last.slice(end);
  }
}

/** Returns what a line shows after its carriage returns: the text written last. */
function overwritten(line: string): string {
  const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
  const start = bare.lastIndexOf("\r");
  return start < 0 ? bare : bare.slice(start + 1);
}
