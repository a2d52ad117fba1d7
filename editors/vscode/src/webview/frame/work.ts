/**
 * Keeps the view answering while much is to be shown: work is done in pieces,
 * and only so many pieces a frame that keys and clicks get their turn between.
 */

/** Does a piece of the work; true while there is more. */
export type Work = () => boolean;

const budget = 8; // milliseconds a frame, half of what a frame has

const waiting = new Set<Work>();
let deadline = 0;
let asked = false;

/** Does as much of the work now as this frame allows, and the rest in the next ones. */
export function work(piece: Work): void {
  if (waiting.has(piece)) return;
  askForFrame();
  if (!advance(piece)) return;
  waiting.add(piece);
}

/** Forgets work that is no longer wanted. */
export function drop(piece: Work): void {
  waiting.delete(piece);
}

function advance(piece: Work): boolean {
  if (deadline === 0) deadline = performance.now() + budget;
  let more = true;
  while (more && performance.now() < deadline) more = piece();
  return more;
}

function askForFrame(): void {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    deadline = 0;
    for (const piece of [...waiting]) {
      if (!advance(piece)) waiting.delete(piece);
    }
    if (waiting.size > 0) askForFrame();
  });
}
