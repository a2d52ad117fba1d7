/** A path of which the folders are cut where it is too long, and never the name of the file. */
import { visibleLine } from "../text/visible.js";
import { shortPath } from "./paths.js";

/** A name longer than this may be wider than a narrow view: such a path is broken into lines. */
const longestName = 24;

export function PathName({ path, line }: { path: string; line?: number | null | undefined }) {
  const short = visibleLine(shortPath(path));
  const name = /[^/\\]*$/.exec(short)?.[0] ?? "";
  return (
    <span class={`path-name ${name.length > longestName ? "breaks" : ""}`} title={visibleLine(path)}>
      <bdi dir="ltr">{line ? `${short}:${line}` : short}</bdi>
    </span>
  );
}
