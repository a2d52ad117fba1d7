/** A diff, line by line, with a button for the editor's diff view. */
import type { DiffContent, DiffLine } from "../../shared/model.js";
import { plural } from "../frame/format.js";
import { post } from "../frame/host.js";
import { PathName } from "./PathName.js";
import { IconButton } from "../frame/components.js";
import { Rows } from "../text/Rows.js";
import { coloured, languageOf } from "../text/colours.js";
import { visible } from "../text/visible.js";

const signs = { same: " ", added: "+", removed: "−", gap: " " } as const;

export function Diff({ diff, toolCallId, index }: { diff: DiffContent; toolCallId: string; index: number }) {
  const widest = Math.max(0, ...diff.lines.map(({ number = 0 }) => String(number).length * Math.sign(number)));
  const language = languageOf(diff.path);
  const rows = (from: number, to: number) => diff.lines.slice(from, to).map((line, i) => <Line key={from + i} line={line} digits={widest} language={language} />);
  return (
    <figure class="diff">
      <figcaption class="diff-bar">
        <button type="button" class="link path" title={diff.path} onClick={() => post({ type: "openFile", path: diff.path })}>
          <PathName path={diff.path} />
        </button>
        <Counts added={diff.added} removed={diff.removed} />
        {diff.oldText === undefined && <span class="badge">new file</span>}
        <span class="space" />
        <IconButton
          icon="diff"
          label="Open in the diff editor"
          onClick={() => post({ type: "openDiff", toolCallId, index })}
        />
      </figcaption>
      <Rows
        class="diff-lines"
        count={diff.lines.length}
        label={`Difference: ${plural(diff.added, "line", "lines")} added, ${diff.removed} removed`}
        follow={false}
        rows={rows}
      />
    </figure>
  );
}

export function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="counts" role="img" aria-label={`${added} added, ${removed} removed`}>
      <span class="added">+{added}</span> <span class="removed">−{removed}</span>
    </span>
  );
}

function Line({ line, digits, language }: { line: DiffLine; digits: number; language: string }) {
  return (
    <div class={`row ${line.kind}`}>
      {digits > 0 && <span class="line-number" aria-hidden="true">{String(line.number ?? "").padStart(digits)}</span>}
      <span class="sign">{signs[line.kind]}</span>
      {line.kind === "gap" ? `⋯ ${visible(line.text)}`.trimEnd() : coloured(line.text, language, line.marks ?? [])}
    </div>
  );
}
