/** The line below a turn: the files it changed, and actions for them. */
import type { ChangedFile, Changes } from "../../shared/model.js";
import { plural } from "../frame/format.js";
import { post } from "../frame/host.js";
import { Icon, Label } from "../frame/components.js";
import { visible } from "../text/visible.js";
import { Counts } from "./Diff.js";
import { shortPath } from "./paths.js";
import { useExpanded, useSession } from "./hooks.js";

/** Most files shown at first. */
const atOnce = 3;

export function ChangesView({ item }: { item: Changes }) {
  const { files, id } = item;
  const [all, toggle] = useExpanded(id, false);
  const session = useSession();
  const busy = session?.status === "running" || session?.status === "cancelling";
  const more = files.length - atOnce;
  const sum = (of: (file: ChangedFile) => number) => files.reduce((total, file) => total + of(file), 0);
  return (
    <div class="changes">
      <div class="changes-line">
        <Icon name="diff" />
        {files.length > 1 ? (
          <>
            <span class="changes-title">{plural(files.length, "file", "files")} changed</span>
            <Counts added={sum((file) => file.added)} removed={sum((file) => file.removed)} />
          </>
        ) : files.map((file) => <File key={file.path} file={file} />)}
        <span class="changes-tools">
          {item.review && (
            <button type="button" class="link" title="Show all changes in the editor" onClick={() => post({ type: "reviewChanges", id })}>Review</button>
          )}
          {item.undo && (
            <button
              type="button"
              class="link"
              title={busy ? "A turn is running" : "Restore these files to their state before the turn"}
              disabled={busy}
              onClick={() => post({ type: "undoChanges", id })}
            >
              Undo
            </button>
          )}
        </span>
      </div>
      {files.length > 1 && <ul class="changed-files">
        {(all ? files : files.slice(0, atOnce)).map((file) => <li key={file.path}><File file={file} /></li>)}
        {more > 0 && (
          <li>
            <button type="button" class="link" aria-expanded={all} onClick={toggle}>{all ? "Show fewer" : `and ${more} more`}</button>
          </li>
        )}
      </ul>}
      {item.undone !== undefined && <p class="undone" role="status">{visible(item.undone)}</p>}
    </div>
  );
}

function File({ file }: { file: ChangedFile }) {
  return (
    <span class="changed-file">
      <button type="button" class="link path" title={file.path} onClick={() => post({ type: "openFile", path: file.path })}>
        <Label text={file.label ?? shortPath(file.path)} />
      </button>
      <Counts added={file.added} removed={file.removed} />
      {file.created && <span class="badge">new</span>}
    </span>
  );
}
