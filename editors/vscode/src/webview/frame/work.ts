/**
 * Keeps the view answering while much is to be shown: work is done in pieces,
 * and only so many pieces a frame that keys and clicks get their turn between.
 */

/** Does a piece of the work; true while there is more. */
export type Work = () => boolean;

const budget = 8; // milliseconds a frame, half of what a frame has

export class Frames {
  private readonly waiting = new Set<Work>();
  private deadline = 0;
  private asked = false;

  /** Takes a clock of milliseconds, and a way to be called at the next frame. */
  constructor(
    private readonly now: () => number,
    private readonly ask: (run: () => void) => void,
  ) {}

  /** Does as much of the work now as this frame allows, and the rest in the next ones. */
  readonly work = (piece: Work): void => {
    if (this.waiting.has(piece)) return;
    this.askForFrame();
    if (!this.advance(piece)) return;
    this.waiting.add(piece);
  };

  /** Forgets work that is no longer wanted. */
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
