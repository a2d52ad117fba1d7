/** Remedies for an error, as buttons below it. */
import type { Cure } from "../../shared/model.js";
import { post } from "../frame/host.js";
import type { IconName } from "../frame/icons.js";
import { Icon } from "../frame/components.js";

const words: Record<Cure, { label: string; icon: IconName }> = {
  install: { label: "How to install Turnwire", icon: "cloud" },
  settings: { label: "Open settings", icon: "gear" },
  log: { label: "Show log", icon: "terminal" },
  again: { label: "Restart agent", icon: "retry" },
  trust: { label: "Manage trust", icon: "key" },
  folder: { label: "Open a folder", icon: "file" },
};

export function Cures({ cures }: { cures: readonly Cure[] }) {
  return (
    <>
      {cures.filter((cure) => Object.hasOwn(words, cure)).map((cure) => (
        <button key={cure} type="button" class="button secondary" onClick={() => post({ type: "cure", cure })}>
          <Icon name={words[cure].icon} />
          {words[cure].label}
        </button>
      ))}
    </>
  );
}
