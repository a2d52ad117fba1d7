/**
 * Shows Mermaid code as a diagram: an image, in which nothing runs. If that fails,
 * the code stays, with the reason.
 */
import { isDiagram, type Diagram, type Scheme } from "../../shared/diagram.js";
import { icon } from "../frame/icons.js";
import { visibleLine } from "../text/visible.js";
import { draw, TooSlow } from "./diagramFrame.js";

/** Drawings are remembered, so that scrolling back doesn't draw again: this many, of together so many characters. */
const most = 100;
const mostCharacters = 10_000_000;
/** Pixels; in the chat, taller diagrams are scaled down. */
const tallest = 480;

type Drawn = (Diagram & { url: string }) | { error: string };

const drawn = new Map<string, Drawn>();
const drawing = new Map<string, Promise<Drawn>>();
let characters = 0;
let watching = false;

/** Draws a code block's diagram, if it wasn't drawn before, and shows it. */
export function showDiagram(frame: HTMLElement): void {
  watchTheme();
  frame.classList.add("drawn");
  const scheme = schemeNow();
  const name = key(sourceOf(frame), scheme);
  const found = drawn.get(name);
  if (found) return show(frame, found);
  const made = drawing.get(name) ?? make(sourceOf(frame), scheme).finally(() => drawing.delete(name));
  drawing.set(name, made);
  void made.then((one) => schemeNow() === scheme && show(frame, one));
}

async function make(source: string, scheme: Scheme): Promise<Drawn> {
  try {
    const reply = await draw({ source, scheme, font: getComputedStyle(document.body).fontFamily });
    const made = isDiagram(reply) ? { ...reply, url: `data:image/svg+xml,${encodeURIComponent(reply.svg)}` } : reply;
    remember(key(source, scheme), made);
    return made;
  } catch (error) {
    if (!(error instanceof TooSlow)) return { error: "The part that draws diagrams could not be loaded." };
    const made = { error: error.message };
    if (!document.hidden) remember(key(source, scheme), made); // browsers slow hidden pages down
    return made;
  }
}

const sourceOf = (frame: HTMLElement): string => frame.querySelector("pre")?.textContent ?? "";
const key = (source: string, scheme: Scheme): string => `${scheme} ${source}`;
const sizeOf = (one: Drawn): number => ("url" in one ? one.url.length : 0);

function remember(name: string, made: Drawn): void {
  characters += sizeOf(made) - sizeOf(drawn.get(name) ?? { error: "" });
  drawn.delete(name);
  drawn.set(name, made);
  for (const [oldest, one] of drawn) {
    if (drawn.size <= most && characters <= mostCharacters) break;
    characters -= sizeOf(one);
    drawn.delete(oldest);
  }
}

function show(frame: HTMLElement, made: Drawn): void {
  frame.querySelectorAll(".diagram-view, .diagram-fault, [data-action=source]").forEach((old) => old.remove());
  const pre = frame.querySelector("pre");
  if (!pre) return;
  pre.hidden = "url" in made;
  if ("error" in made) {
    const fault = document.createElement("p");
    fault.className = "diagram-fault";
    fault.textContent = `No diagram: ${visibleLine(made.error)}`;
    pre.before(fault);
    return;
  }
  const source = button("icon-button", "source", "Show source");
  source.setAttribute("aria-pressed", "false");
  source.append(icon("file"));
  frame.querySelector(".code-bar > button")?.before(source);
  const view = button("diagram-view", "enlarge", "Open the diagram at its full size");
  const image = imageOf(made);
  // The height is fixed before the image is decoded, so nothing moves.
  image.style.width = `min(100%, ${Math.round(Math.min(made.width, (tallest * made.width) / made.height))}px)`;
  view.append(image);
  pre.before(view);
}

function button(className: string, action: string, label: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  made.dataset["action"] = action;
  made.title = label;
  if (className === "icon-button") made.setAttribute("aria-label", label);
  return made;
}

function imageOf({ url, width, height, label }: Diagram & { url: string }): HTMLImageElement {
  const image = document.createElement("img");
  image.width = Math.ceil(width);
  image.height = Math.ceil(height);
  image.alt = visibleLine(label);
  image.src = url;
  return image;
}

/** Shows the source below the diagram, or hides it again. */
export function toggleSource(frame: HTMLElement): void {
  const pre = frame.querySelector("pre");
  if (!pre) return;
  pre.hidden = !pre.hidden;
  frame.querySelector("[data-action=source]")?.setAttribute("aria-pressed", String(!pre.hidden));
}

/** Opens a diagram at its full size, in which one can scroll. */
export function enlarge(frame: HTMLElement): void {
  const made = drawn.get(key(sourceOf(frame), schemeNow()));
  if (!made || "error" in made) return;
  const dialog = document.createElement("dialog");
  dialog.className = "diagram-whole";
  dialog.setAttribute("aria-label", visibleLine(made.label));
  const close = button("icon-button", "close", "Close");
  close.append(icon("close"));
  close.addEventListener("click", () => dialog.close());
  const whole = document.createElement("div");
  whole.className = "diagram-scroll";
  whole.tabIndex = 0;
  whole.setAttribute("role", "group");
  whole.setAttribute("aria-label", "Diagram");
  whole.append(imageOf(made));
  dialog.append(close, whole);
  dialog.addEventListener("close", () => dialog.remove());
  // The chat's keys mean something else.
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") dialog.close();
  });
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

function schemeNow(): Scheme {
  const { classList } = document.body;
  const light = classList.contains("vscode-light") || classList.contains("vscode-high-contrast-light");
  if (classList.contains("vscode-high-contrast") || classList.contains("vscode-high-contrast-light") || matchMedia("(forced-colors: active)").matches) return light ? "contrastLight" : "contrastDark";
  return light ? "light" : "dark";
}

/** When the theme changes, visible diagrams are drawn again. */
function watchTheme(): void {
  if (watching) return;
  watching = true;
  let scheme = schemeNow();
  new MutationObserver(() => {
    const now = schemeNow();
    if (now === scheme) return;
    scheme = now;
    document.querySelectorAll<HTMLElement>(".code.drawn").forEach(showDiagram);
  }).observe(document.body, { attributeFilter: ["class"] });
}
