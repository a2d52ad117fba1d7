/** Remedies for an error, as buttons below it. */
import type { Fix } from "../../shared/model.js";
import { post } from "../frame/host.js";
import type { IconName } from "../frame/icons.js";
import { Icon } from "../frame/components.js";

const words: Record<Fix, { label: string; icon: IconName }> = {
  install: { label: "How to install Turnwire", icon: "cloud" },
  settings: { label: "Open settings", icon: "gear" },
  log: { label: "Show log", icon: "terminal" },
  again: { label: "Restart agent", icon: "retry" },
  trust: { label: "Manage trust", icon: "key" },
  folder: { label: "Open a folder", icon: "file" },
};

export function Fixes({ fixes }: { fixes: readonly Fix[] }) {
  return (
    <>
      {fixes.filter((fix) => Object.hasOwn(words, fix)).map((fix) => (
        <button key={fix} type="button" class="button secondary" onClick={() => post({ type: "fix", fix })}>
          <Icon name={words[fix].icon} />
          {words[fix].label}
        </button>
      ))}
    </>
  );
}
