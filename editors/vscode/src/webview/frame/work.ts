/**
 * Keeps the view responsive while it draws a lot: work is split into pieces,
 * and each frame only does as many as leave time for keys and clicks.
 */

/** Does a piece of the work; returns true if there is more. */
export type Work = () => boolean;

const budget = 8; // milliseconds per frame, half of its time

export class Frames {
  private readonly waiting = new Set<Work>();
  private deadline = 0;
  private asked = false;

  /**
   * `now` is a clock in milliseconds; the other argument calls a function at
   * the next frame.
   */
  constructor(
    private readonly now: () => number,
    private readonly ask: (run: () => void) => void,
  ) {}

  /** Does as much work as this frame allows, and the rest in the next ones. */
  readonly work = (piece: Work): void => {
    if (this.waiting.has(piece)) return;
    this.askForFrame();
    if (!this.advance(piece)) return;
    this.waiting.add(piece);
  };

  /** Drops work that is no longer needed. */
  readonly drop = (piece: Work): void => {
    this.waiting.delete(piece);
  };

  private advance(piece: Work): boolean {
    if (this.deadline === 0) this.deadline = this.now() + budget;
    let more = true;
    while (more && this.now() < this.deadline) more = piece();
    return more;
  }

  private askForFrame(): void {
    if (this.asked) return;
    this.asked = true;
    this.ask(() => {
      this.asked = false;
      this.deadline = 0;
      for (const piece of [...this.waiting]) {
        if (!this.advance(piece)) this.waiting.delete(piece);
      }
      if (this.waiting.size > 0) this.askForFrame();
    });
  }
}

export const { work, drop } = new Frames(() => performance.now(), (run) => requestAnimationFrame(run));
