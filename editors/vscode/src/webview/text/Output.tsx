/**
 * A tool's output: with its colours, without anything else a terminal would
 * obey.
 */
import { post } from "../frame/host.js";
import { IconButton } from "../frame/components.js";
import { Rows } from "./Rows.js";
import type { Lines } from "./lines.js";
import { coloursAfter, coloursBefore, pieces, plain, type Piece } from "./terminal.js";

interface Props {
  text: string;
  /** The rows of the text. */
  lines: Lines;
  live: boolean;
  label: string;
}

export function Output({ text, lines, live, label }: Props) {
  const rows = (from: number, to: number) => {
    const made = [];
    let inForce = coloursBefore(lines, from);
    for (let i = from; i < to; i++) {
      const row = lines.row(i);
      made.push(
        <div class="row" key={i}>
          {pieces(row, inForce.join("")).map(Span)}
        </div>,
      );
      inForce = coloursAfter(row, inForce);
    }
    return made;
  };
  return (
    <div class="output-frame">
      <Rows class="output" count={lines.count} label={label} follow={live} rows={rows} />
      <IconButton icon="copy" label="Copy the output" onClick={() => post({ type: "copy", text: plain(text) })} />
    </div>
  );
}

function Span(piece: Piece) {
  if (piece.classes.length === 0 && !piece.color && !piece.background) return piece.text;
  const style: Record<string, string> = {};
  if (piece.color) style["color"] = `rgb(${piece.color})`;
  if (piece.background) style["backgroundColor"] = `rgb(${piece.background})`;
  return (
    <span class={piece.classes.join(" ")} style={style}>
      {piece.text}
    </span>
  );
}
