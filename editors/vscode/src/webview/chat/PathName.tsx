/** A path of which the folders are cut where it is too long, and never the name of the file. */
import { visibleLine } from "../text/visible.js";
import { shortPath } from "./paths.js";

/** A name longer than this may be wider than a card in a narrow view, or any card: such a path is broken into lines. */
const longName = 17;
const longestName = 24;

interface Props {
  path: string;
  line?: number | null | undefined;
  /** How many characters stand before it on the same line. */
  behind?: number;
}

export function PathName({ path, line, behind = 0 }: Props) {
  const short = visibleLine(shortPath(path));
  const name = /[^/\\]*$/.exec(short)?.[0] ?? "";
  const length = name.length > longestName ? "breaks" : name.length > longName ? "long" : "";
  // Where it would go to the next line to be whole, it stays and is cut, if its name is whole then.
  const room = behind > 0 ? { maxWidth: `min(100%, max(100% - ${behind + 1}ch, ${name.length + 3}ch))` } : {};
  return (
    <span class={`path-name ${length}`} style={room} title={visibleLine(path)}>
      <bdi dir="ltr">{line ? `${short}:${line}` : short}</bdi>
    </span>
  );
}
