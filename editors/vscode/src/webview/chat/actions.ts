/** The buttons and links in the agent's Markdown. They send messages to the host, and do nothing else. */
import { post } from "../frame/host.js";
import { enlarge, toggleSource } from "../markdown/diagrams.js";
import { linkTarget } from "../markdown/links.js";

const thanks = 1500; // milliseconds that a button shows its result

export function act(event: Event): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest<HTMLElement>("a[data-href]");
  const button = event.target.closest<HTMLElement>("button[data-action]");
  if (link) {
    event.preventDefault();
    follow(link.dataset["href"] ?? "");
  } else if (button && event.type === "click") {
    const frame = button.closest<HTMLElement>(".code");
    const text = frame?.querySelector("pre")?.textContent ?? "";
    if (frame && button.dataset["action"] === "source") toggleSource(frame);
    else if (frame && button.dataset["action"] === "enlarge") enlarge(frame);
    else if (button.dataset["action"] === "copy") {
      post({ type: "copy", text });
      button.classList.add("done");
      setTimeout(() => button.classList.remove("done"), thanks);
    } else post({ type: "insert", text });
  }
}

function follow(href: string): void {
  const target = linkTarget(href);
  if (target?.kind === "web") post({ type: "openLink", href: target.href });
  else if (target) {
    const { path, line } = target;
    post(line === undefined ? { type: "openFile", path } : { type: "openFile", path, line });
  }
}
