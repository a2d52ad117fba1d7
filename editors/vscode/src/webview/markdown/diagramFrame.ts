/**
 * Draws diagrams in a sandboxed frame, one after the other. The frame inherits the
 * chat's policy and can't reach the chat. In browsers that give it a separate process,
 * a slow diagram doesn't delay the chat either.
 */
import type { DiagramReply, DiagramRequest } from "../../shared/diagram.js";
import { nonce, part } from "../frame/parts.js";

interface Policies {
  createPolicy(name: string, rules: { createHTML(program: string): string }): { createHTML(program: string): string };
}

/** Milliseconds for one diagram, and for the frame's start. */
const patience = 10_000;
const startPatience = 30_000;
/** Milliseconds until an unused frame is removed, because it needs some memory. */
const idle = 60_000;

const html = (program: string): string => `<!DOCTYPE html><script${nonce === "" ? "" : ` nonce="${nonce}"`}>${program}</script>`;
/** `program` comes from the view's own file. */
const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy("turnwire-diagrams", { createHTML: html });

export class TooSlow extends Error {
  constructor() {
    super("It took too long to draw.");
  }
}

let frame: { element: HTMLIFrameElement; port: MessagePort } | undefined;
let queue: Promise<unknown> = Promise.resolve();
let idleTimer: ReturnType<typeof setTimeout> | undefined;

/** Draws a diagram after those before it. Rejects with {@link TooSlow}, or if the frame can't be loaded. */
export function draw(request: DiagramRequest): Promise<DiagramReply> {
  const drawing = queue.then(() => drawNow(request));
  queue = drawing.catch(() => undefined);
  return drawing;
}

async function drawNow(request: DiagramRequest): Promise<DiagramReply> {
  clearTimeout(idleTimer);
  try {
    const { port } = (frame ??= await start());
    return await within(patience, (done) => {
      port.onmessage = ({ data }: MessageEvent<DiagramReply>) => done(data);
      port.postMessage(request);
    });
  } catch (error) {
    remove();
    throw error;
  } finally {
    idleTimer = setTimeout(remove, idle);
  }
}

async function start() {
  const { program } = await part("diagrams");
  const element = document.createElement("iframe");
  element.className = "diagram-frame";
  element.setAttribute("sandbox", "allow-scripts");
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
  element.title = "Draws diagrams";
  element.srcdoc = policy?.createHTML(program) ?? html(program);
  const { port1: port, port2 } = new MessageChannel();
  frame = { element, port };
  await within(startPatience, (done) => {
    element.addEventListener("load", done, { once: true });
    document.body.append(element);
  });
  element.contentWindow?.postMessage("begin", "*", [port2]);
  return { element, port };
}

function remove(): void {
  frame?.element.remove();
  frame?.port.close();
  frame = undefined;
}

function within<T>(milliseconds: number, begin: (done: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TooSlow()), milliseconds);
    begin((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
