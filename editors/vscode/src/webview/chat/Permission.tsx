/**
 * The agent asks whether it may.
 *
 * Only an option that the person chose is ever sent, once. The keys 1 to 9 work
 * while the keyboard is in the group; Enter alone chooses nothing. The second half of
 * a double click and a key that is held down choose nothing either: by then, another
 * request may stand where that one stood.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Permission, PermissionChoice, ToolCall } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { Icon } from "../frame/parts.js";
import { visible, visibleLine } from "../text/visible.js";
import { OptionName, ScopeNote } from "./OptionName.js";
import { scopeOf } from "./scope.js";

export function PermissionView({ permission, tool }: { permission: Permission; tool: ToolCall }) {
  const [chosen, setChosen] = useState<string>();
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => setChosen(undefined), [permission.requestId]);

  const choose = (option: PermissionChoice) => {
    if (chosen !== undefined) return;
    setChosen(option.id);
    post({ type: "permission", requestId: permission.requestId, optionId: option.id });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.repeat) return event.preventDefault();
    const option = /^[1-9]$/.test(event.key) ? permission.options[Number(event.key) - 1] : undefined;
    if (option) choose(option);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") step(group.current, event.key === "ArrowRight" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="permission" role="group" aria-label={`May the agent? ${visibleLine(tool.title)}`} tabIndex={-1} ref={group} data-asks onKeyDown={onKeyDown}>
      {permission.reason && (
        <p class="reason" dir="auto">
          {visible(permission.reason)}
        </p>
      )}
      <div class="buttons">
        {permission.options.map((option, index) => (
          <button
            type="button"
            key={option.id}
            class={`button ${option.kind === "allow_once" ? "primary" : "secondary"} ${option.kind}`}
            aria-keyshortcuts={index < 9 ? String(index + 1) : undefined}
            disabled={chosen !== undefined}
            title={meanings[option.kind]}
            onClick={(event) => event.detail <= 1 && choose(option)}
          >
            <Icon name={option.kind.startsWith("allow") ? "check" : "close"} />
            <OptionName name={option.name} />
            {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
          </button>
        ))}
      </div>
      {permission.options.map((option) => <ScopeNote key={option.id} option={option} scope={scopeOf(option, tool)} />)}
    </div>
  );
}

/** What an option does is told apart from its name, which is the agent's to choose. */
const meanings: Record<PermissionChoice["kind"], string> = {
  allow_once: "Allows this once",
  allow_always: "Allows this, and the same later without asking",
  reject_once: "Rejects this once",
  reject_always: "Rejects this, and the same later without asking",
};

function step(group: HTMLElement | null, by: number): void {
  const buttons = [...(group?.querySelectorAll<HTMLButtonElement>("button:enabled") ?? [])];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[at < 0 ? 0 : (at + by + buttons.length) % buttons.length]?.focus();
}
