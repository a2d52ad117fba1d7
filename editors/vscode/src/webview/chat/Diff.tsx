/**
 * A diff, line by line, with a button for the editor's diff view. While it waits for permission,
 * its changes may be refused one by one.
 */
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import type { DiffContent, DiffLine } from "../../shared/model.js";
import { plural } from "../frame/format.js";
import { post } from "../frame/host.js";
import { ChangeToggle } from "./ChangeToggle.js";
import { PathName } from "./PathName.js";
import type { FileChoice } from "./parts.js";
import { IconButton } from "../frame/components.js";
import { changeNumbers } from "../text/changeNumbers.js";
import { Rows } from "../text/Rows.js";
import { coloured, languageOf } from "../text/colours.js";
import { visible } from "../text/visible.js";

const signs = { same: " ", added: "+", removed: "−", gap: " " } as const;

interface Props {
  diff: DiffContent;
  toolCallId: string;
  index: number;
  choice: FileChoice | undefined;
}

export function Diff({ diff, toolCallId, index, choice: offered }: Props) {
  const widest = Math.max(0, ...diff.lines.map(({ number = 0 }) => String(number).length * Math.sign(number)));
  const language = languageOf(diff.path);
  const changes = useMemo(() => (offered ? changeNumbers(diff.lines) : []), [diff.lines, offered === undefined]);
  const choice = offered?.count === new Set(changes.filter((change) => change !== undefined)).size ? offered : undefined;
  const rows = (from: number, to: number) =>
    diff.lines.slice(from, to).map((line, i) => {
      const change = changes[from + i];
      const refused = change !== undefined && choice?.refused.includes(change);
      return (
        <Fragment key={from + i}>
          {choice && change !== undefined && changes[from + i - 1] !== change && <ChangeToggle choice={choice} change={change} />}
          <Line line={line} digits={widest} language={language} refused={refused === true} />
        </Fragment>
      );
    });
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
        whole={choice !== undefined}
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

function Line({ line, digits, language, refused }: { line: DiffLine; digits: number; language: string; refused: boolean }) {
  return (
    <div class={refused ? `row ${line.kind} declined` : `row ${line.kind}`}>
      {digits > 0 && <span class="line-number" aria-hidden="true">{String(line.number ?? "").padStart(digits)}</span>}
      <span class="sign">{signs[line.kind]}</span>
      {line.kind === "gap" ? `⋯ ${visible(line.text)}`.trimEnd() : coloured(line.text, language, line.marks ?? [])}
    </div>
  );
}
