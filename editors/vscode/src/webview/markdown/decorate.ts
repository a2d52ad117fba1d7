/** Adds a toolbar to code blocks, scrolling frames to wide content, checkboxes to tasks, and draws formulas and diagrams. */
import { icon } from "../frame/icons.js";
import { showDiagram } from "./diagrams.js";
import { showFormulas } from "./formulas.js";

export function decorate(fragment: DocumentFragment): void {
  for (const pre of fragment.querySelectorAll("pre")) {
    const language = pre.dataset["language"] ?? "";
    const frame = element("div", "code");
    const bar = element("div", "code-bar");
    const name = element("span", "code-language");
    name.textContent = language;
    bar.append(name, button("copy", "Copy", "copy"), button("insert", "Insert at the cursor", "insert"));
    scrollable(pre, language ? `Code, ${language}` : "Code");
    pre.replaceWith(frame);
    frame.append(bar, pre);
    if (pre.classList.contains("diagram")) showDiagram(frame);
  }
  showFormulas(fragment);
  for (const table of fragment.querySelectorAll("table")) {
    const frame = element("div", "table");
    scrollable(frame, "Table");
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const item of fragment.querySelectorAll("li.task")) {
    const done = item.classList.contains("done");
    const box = element("span", "task-box");
    const word = element("span", "unseen");
    word.textContent = done ? "Done: " : "Not done: ";
    box.append(icon(done ? "boxChecked" : "box"), word);
    (item.firstElementChild?.localName === "p" ? item.firstElementChild : item).prepend(box);
  }
}

/** Makes a scrolling frame reachable by keyboard. */
function scrollable(frame: HTMLElement, label: string): void {
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", label);
}

function element(tag: string, className: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}

function button(action: string, label: string, drawing: "copy" | "insert"): HTMLElement {
  const made = element("button", "icon-button");
  made.setAttribute("type", "button");
  made.dataset["action"] = action;
  made.title = label;
  made.setAttribute("aria-label", label);
  made.append(icon(drawing));
  return made;
}
