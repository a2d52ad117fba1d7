/** The page as a chat's editor: it has no files, and shows diffs only in the chat. */
import type { PendingRequest, Editor } from "../chat/editor.js";
import type { ServedSession } from "../chat/sessions.js";
import type { Session } from "../shared/model.js";
import type { Notices } from "./notices.js";
import { change, confirm } from "./shell.js";

export interface Surroundings {
  notices: Notices;
  /** The chat's folder, or the folder for a new one. */
  folder(): string;
  servedSessions(): Promise<ServedSession[]>;
  sessionChanged(session: Session): void;
}

export class PageEditor implements Editor {
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  folders = (): string[] => [this.#around.folder()];
  trusted = (): boolean => true;
  readTextFile = (): Promise<string> => Promise.reject(new Error("the page cannot access files"));
  writeTextFile = (): Promise<void> => Promise.reject(new Error("the page cannot access files"));
  showTerminal = (): void => {};
  runLogin = (): Promise<undefined> => Promise.reject(new Error("This login runs in a terminal. Run it on the server's machine."));
  openDiff = (): Promise<void> => Promise.resolve();
  openText = openText;

  async openFile(path: string): Promise<void> {
    tell(`This file is on the server's machine: ${path}`);
  }

  openLink = openLink;
  copy = copy;
  insert = copy;
  findFiles = (): Promise<[]> => Promise.resolve([]);
  confirm = confirm;
  tell = tell;
  asked = (request: PendingRequest): void => this.#around.notices.asked(request);
  settled = (id: string): void => this.#around.notices.settled(id);
  servedSessions = (): Promise<ServedSession[]> => this.#around.servedSessions();
  sessionChanged = (session: Session): void => this.#around.sessionChanged(session);
}

const tell = (message: string): void => change({ message });

export async function openLink(href: string): Promise<void> {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (!url || !["https:", "http:", "mailto:"].includes(url.protocol)) return tell(`Unsupported link: ${href}`);
  if (await confirm(`Open this link?\n\n${url.href}`, "Open")) window.open(url.href, "_blank", "noopener,noreferrer");
}

/** Opens a text in a new tab. */
async function openText(_title: string, text: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  window.open(url, "_blank", "noopener");
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // by then, it is loaded
}

export async function copy(text: string): Promise<void> {
  // Without TLS, browsers give pages no clipboard.
  if (!navigator.clipboard) return tell("Copying requires HTTPS.");
  await navigator.clipboard.writeText(text).catch(() => tell("The browser blocked copying."));
}
