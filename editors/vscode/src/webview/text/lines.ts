/**
 * The rows of a text that grows at its end.
 *
 * A tool may print megabytes, in small pieces. Appending costs what the piece
 * costs, whatever came before; nothing is ever split again.
 */

/** A row of the screen holds no more than this; what is longer goes on in the next row. */
const longestRow = 2000;

export class Lines {
  private readonly done: string[] = [];
  private last = "";

  constructor(text = "") {
    this.append(text);
  }

  /** How many rows there are; an empty row after the last line feed is none. */
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

  /** Moves a full row away, without parting the two halves of a character. */
  private cut(): void {
    const code = this.last.charCodeAt(longestRow - 1);
    const end = code >= 0xd800 && code < 0xdc00 ? longestRow - 1 : longestRow;
    this.done.push(overwritten(this.last.slice(0, end)));
    this.last = this.last.slice(end);
  }
}

/** What a line shows after its carriage returns: the last of what was written over each other. */
function overwritten(line: string): string {
  const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
  const start = bare.lastIndexOf("\r");
  return start < 0 ? bare : bare.slice(start + 1);
}
