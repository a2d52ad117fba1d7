/** The line above a change that accepts or refuses it. */
import { Icon } from "../frame/components.js";
import type { FileChoice } from "./parts.js";

export function ChangeToggle({ choice, change }: { choice: FileChoice; change: number }) {
  const refused = choice.refused.includes(change);
  const name = `${choice.first + change + 1} of ${choice.all}`;
  return (
    <div class="change-bar">
      <div class="change-head">
        <button type="button" class="change-toggle" aria-pressed={!refused} aria-label={`Accept change ${name}`} onClick={() => choice.toggle(change)}>
          <Icon name={refused ? "box" : "boxChecked"} />
          Change {name}
        </button>
        {refused && <span aria-hidden="true">refused</span>}
      </div>
    </div>
  );
}
