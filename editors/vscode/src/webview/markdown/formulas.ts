/** Replaces formulas in TeX by MathML. What can't be rendered stays code. */
import { part } from "../frame/parts.js";
import { work } from "../frame/work.js";
import { texOf } from "./maths.js";

/** What is remembered, so that scrolling back and streaming don't render it again. */
const most = 500;
/** A formula within a line that is longer may be wider than the chat. */
const long = 60;

type Part = Awaited<ReturnType<typeof part<"maths">>>;
type Rendered = { node: Node } | { error: string };

const rendered = new Map<string, Rendered>();
const pending: HTMLElement[] = [];
let maths: Part | undefined;

export function showFormulas(fragment: DocumentFragment): void {
  for (const code of fragment.querySelectorAll<HTMLElement>("code.tex")) if (!put(code)) pending.push(code);
  if (pending.length === 0) return;
  if (maths) work(step);
  else void part("maths").then(begin, () => (pending.length = 0));
}

function begin(loaded: Part): void {
  if (!maths) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(loaded.style);
    document.adoptedStyleSheets.push(sheet);
  }
  maths = loaded;
  work(step);
}

/** Renders one formula. */
function step(): boolean {
  const code = pending.shift();
  if (maths && code && !put(code)) {
    const source = code.textContent ?? "";
    for (const oldest of rendered.keys()) {
      if (rendered.size < most) break;
      rendered.delete(oldest);
    }
    rendered.set(source, render(maths, source, isDisplay(code)));
    put(code);
  }
  return pending.length > 0;
}

function render(maths: Part, source: string, display: boolean): Rendered {
  try {
    return { node: maths.mathML(texOf(source), display) };
  } catch (error) {
    return { error: String(error instanceof Error ? error.message : error).split("\n")[0]?.slice(0, 200) ?? "" };
  }
}

const isDisplay = (code: HTMLElement): boolean => code.classList.contains("display");

/** Shows a formula that was rendered before. */
function put(code: HTMLElement): boolean {
  const source = code.textContent ?? "";
  const found = rendered.get(source);
  if (!found) return false;
  if ("error" in found) {
    code.title = found.error;
    return true;
  }
  const frame = document.createElement("span");
  frame.className = isDisplay(code) ? "formula display" : source.length > long ? "formula long" : "formula";
  if (frame.className !== "formula") {
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", "Formula");
  }
  frame.append(found.node.cloneNode(true));
  code.replaceWith(frame);
  return true;
}
