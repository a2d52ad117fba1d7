/** A path. If it is too long, its folders are cut, never the file name. */
import { visibleLine } from "../text/visible.js";
import { shortPath } from "./paths.js";

/** A longer name may be wider than a card, in a narrow view or in any. Such a path is broken into lines. */
const longName = 17;
const longestName = 24;

interface Props {
  path: string;
  line?: number | null | undefined;
  /** How many characters precede it on the same line. */
  behind?: number;
}

export function PathName({ path, line, behind = 0 }: Props) {
  const short = visibleLine(shortPath(path));
  const name = /[^/\\]*$/.exec(short)?.[0] ?? "";
  const length = name.length > longestName ? "breaks" : name.length > longName ? "long" : "";
  // If the path would wrap, keep it on this line and cut it, provided that its
  // name fits.
  const room = behind > 0 ? { maxWidth: `min(100%, max(100% - ${behind + 1}ch, ${name.length + 3}ch))` } : {};
  return (
    <span class={`path-name ${length}`} style={room} title={visibleLine(path)}>
      <bdi dir="ltr">{line ? `${short}:${line}` : short}</bdi>
    </span>
  );
}
