/** A notice's description: prose, or monospace if it is a program's output. */
import { isTraceback } from "../../shared/traceback.js";
import { visible } from "../text/visible.js";

export function Description({ text }: { text: string }) {
  if (!isTraceback(text)) return <p class="notice-more" dir="auto">{visible(text)}</p>;
  return <pre class="json notice-trace" tabIndex={0} role="group" aria-label="Program output" dir="ltr">{visible(text)}</pre>;
}
