/**
 * The last bytes of a growing text. The protocol limits bytes, but requires whole
 * characters.
 */
export class ByteTail {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #size = 0;
  truncated = false;

  constructor(limit: number) {
    this.#limit = Math.max(0, limit);
  }

  push(text: string): void {
    const piece = Buffer.from(text);
    this.#pieces.push(piece);
    this.#size += piece.length;
    // Cut rarely, because each cut copies everything.
    if (this.#size > 2 * this.#limit + 1024) this.#cut();
  }

  get text(): string {
    this.#cut();
    return this.#pieces[0]?.toString() ?? "";
  }

  #cut(): void {
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    if (!whole) return;
    let start = Math.max(0, whole.length - this.#limit);
    // Skip continuation bytes whose first byte was cut.
    while (start > 0 && start < whole.length && ((whole[start] ?? 0) & 0xc0) === 0x80) start++;
    this.truncated ||= start > 0;
    this.#pieces = [whole.subarray(start)];
    this.#size = whole.length - start;
  }
}
