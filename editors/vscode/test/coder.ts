/** The example with a model, which uses Turnwire's tools: it corrects sum.py, and runs it. */
import { join } from "node:path";

export const coder = ["python3", join(import.meta.dirname, "../../../../../test/coder.py")];
export const wrong = 'def add(a, b):\n    return a - b\n\nprint("2 + 3 =", add(2, 3))\n';
export const right = wrong.replace("a - b", "a + b");
