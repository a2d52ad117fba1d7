/**
 * Formulas in TeX as MathML, which needs no fonts and no scripts, and which screen
 * readers can read. Loaded when the first formula appears.
 */
import temml from "temml";
import css from "temml/dist/Temml-Local.css";
import { assertHarmless } from "./harmless.js";

/** Characters. */
const longest = 4_000;
/** Macros can multiply their text. */
const definition = /\\(?:[egx]?def|g?let|futurelet|(?:re)?newcommand|providecommand)(?![a-z])/;

/** Returns a formula as MathML, or throws an error that says what is wrong with it. */
export function mathML(tex: string, display: boolean): Node {
  if (tex.length > longest) throw new Error(`The formula is longer than ${longest} characters.`);
  if (definition.test(tex)) throw new Error("A formula can't define commands.");
  const root = document.createElement("span");
  temml.render(tex, root, { displayMode: display, throwOnError: true, trust: false, maxSize: [20, 20], maxExpand: 500 });
  assertHarmless(root);
  const fragment = document.createDocumentFragment();
  fragment.append(...root.childNodes);
  return fragment;
}

/** The style sheet for the formulas, without rules that would load something. */
export const style = css.replace(/@font-face\s*\{[^}]*\}/g, "").replace(/[^{}]*\{[^{}]*url\([^{}]*\}/g, "");
