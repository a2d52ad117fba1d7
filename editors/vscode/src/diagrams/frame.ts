/**
 * Draws diagrams in a sandboxed frame, which has no origin, no network, and the
 * chat's own policy. The chat sends the frame one port, and a diagram's source
 * through it; it shows the reply as an image, in which nothing can run.
 */
import "./allowed.js";
import type { DiagramReply, DiagramRequest } from "../shared/diagram.js";
import { draw } from "./draw.js";

addEventListener("message", ({ source, ports: [port] }) => {
  if (source !== parent || !port) return;
  port.onmessage = ({ data }: MessageEvent<DiagramRequest>) => {
    draw(data).then(
      (reply) => port.postMessage(reply),
      (error: unknown) => port.postMessage({ error: reason(error) } satisfies DiagramReply),
    );
  };
}, { once: true });

/** Returns one line. Parsers repeat the source, and list everything that they would have accepted. */
function reason(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const last = lines.at(-1) ?? "unknown error";
  const unexpected = /^Expecting .*, got (.*)$/.exec(last)?.[1];
  const whole = lines.length < 2 ? last : `${lines[0]} ${unexpected === undefined ? last : `unexpected ${unexpected}`}`;
  return whole.slice(0, 300);
}
