/** A list of items, in which runs of finished reads and searches are one line that opens. */
import { memo } from "preact/compat";
import { Disclosure, Icon } from "../frame/components.js";
import { ItemView } from "./ItemView.js";
import { entries, folds, summary, type Entry } from "./runs.js";
import { store, useAnyExpanded, useExpanded } from "./hooks.js";

/** Returns the entries to show for these items. */
export const entriesOf = (ids: readonly string[]): Entry[] =>
  entries(ids, (id) => store.tree.list(id).all.length === 0 && folds(store.item(id)));

export function Entries({ all }: { all: readonly Entry[] }) {
  return <>{all.map((entry) => (typeof entry === "string" ? <ItemView key={entry} id={entry} /> : <Run key={`run ${entry[0]}`} ids={entry} />))}</>;
}

const Run = memo(
  function Run({ ids }: { ids: readonly string[] }) {
    const first = ids[0] ?? "";
    // A call that the user opened must not disappear when it is done.
    const [open, toggle] = useExpanded(`run ${first}`, useAnyExpanded(ids));
    const calls = ids.map((id) => store.item(id)).filter(folds);
    return (
      <article class="item item-run" data-id={first} tabIndex={-1} aria-label="Tools">
        <Disclosure open={open} toggle={toggle} class="run">
          <Icon name="search" class="kind" />
          <span>{summary(calls)}</span>
        </Disclosure>
        {open && <div class="inside">{ids.map((id) => <ItemView key={id} id={id} />)}</div>}
      </article>
    );
  },
  (before, after) => before.ids.length === after.ids.length && before.ids.every((id, index) => id === after.ids[index]),
);
