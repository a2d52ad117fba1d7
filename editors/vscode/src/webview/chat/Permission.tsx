/**
 * A permission request.
 *
 * Only an option that the user chose is ever sent, once. The request takes the focus
 * from an empty prompt, like a dialog. The keys 1 to 9 work while the focus is in the
 * group; Enter alone chooses nothing. Accidental input chooses nothing either: keys
 * while a message is being written, keys and allowing clicks right after the request
 * appeared (see guard.ts), the second half of a double click, and repeats of a held
 * key.
 */
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { countChanges } from "../../shared/countChanges.js";
import type { Permission, PermissionChoice, ToolCall } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { isWritten, memoryOf } from "../frame/memory.js";
import { Icon } from "../frame/components.js";
import { visible, visibleLine } from "../text/visible.js";
import { afterPause, useAppearance } from "./guard.js";
import { promptField, returnFocus } from "./keys.js";
import { OptionName, ScopeNote } from "./OptionName.js";
import { scopeOf } from "./scope.js";
import { ChatId } from "./hooks.js";

/**
 * Shows one request. Another request is another component, even for the same tool call.
 */
export function PermissionView({ permission, tool }: { permission: Permission; tool: ToolCall }) {
  const chatId = useContext(ChatId);
  const [chosen, setChosen] = useState<string>();
  /** Keys are ignored because of the draft. */
  const [held, setHeld] = useState(false);
  const group = useRef<HTMLDivElement>(null);
  const answered = useRef(false);
  const appearance = useAppearance();
  const writing = () => isWritten(memoryOf(chatId).draft);

  useLayoutEffect(() => {
    const prompt = promptField();
    if (document.hasFocus() && document.activeElement === prompt && !writing()) group.current?.focus({ preventScroll: true });
    return () => {
      const focused = document.activeElement;
      const here = group.current?.contains(focused) || (answered.current && focused === document.body);
      if (here) returnFocus(focused?.matches(":focus-visible"));
    };
  }, []);

  const { all, left } = countChanges(permission);
  const isPart = ({ kind }: PermissionChoice) => left < all && kind === "allow_once";
  const possible = (option: PermissionChoice) => left === all || !allows(option) || (isPart(option) && left > 0);

  const choose = (option: PermissionChoice) => {
    if (chosen !== undefined || !possible(option)) return;
    setChosen(option.id);
    answered.current = true;
    post({ type: "permission", requestId: permission.requestId, optionId: option.id });
  };

  const chooseByKey = (option: PermissionChoice, event: Event) => {
    setHeld(writing());
    if (!writing() && afterPause(event) && appearance.precedes(event)) choose(option);
  };

  const onClick = (option: PermissionChoice, event: MouseEvent) => {
    if (event.detail === 0) chooseByKey(option, event); // Enter or Space on the button
    else if (event.detail === 1 && (!allows(option) || appearance.precedes(event))) choose(option);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.repeat) return event.preventDefault();
    const option = /^[1-9]$/.test(event.key) ? permission.options[Number(event.key) - 1] : undefined;
    if (option && (writing() || (afterPause(event) && appearance.precedes(event)))) chooseByKey(option, event);
    else if (event.key.length === 1 && event.key !== " ") return void promptField()?.focus(); // the prompt receives the character
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") step(group.current, event.key === "ArrowRight" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const primary = permission.options.find(({ kind }) => kind === (all > 0 && left === 0 ? "reject_once" : "allow_once"));
  return (
    <div class="permission" role="group" aria-label={`Permission request: ${visibleLine(tool.title)}`} tabIndex={-1} ref={group} data-asks onKeyDown={onKeyDown}>
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
            class={`button ${option === primary ? "primary" : "secondary"} ${option.kind}`}
            aria-keyshortcuts={index < 9 ? String(index + 1) : undefined}
            aria-disabled={allows(option) && !appearance.settled}
            disabled={chosen !== undefined || !possible(option)}
            title={meanings[option.kind]}
            onClick={(event) => onClick(option, event)}
          >
            <Icon name={allows(option) ? "check" : "close"} />
            <OptionName name={isPart(option) ? `Allow ${left} of ${all} changes` : option.name} />
            {index < 9 && <kbd aria-hidden="true">{index + 1}</kbd>}
          </button>
        ))}
      </div>
      {permission.parts && (
        <p class="unseen" role="status">
          {left < all && `${left} of ${all} changes accepted.`}
        </p>
      )}
      {held && <p class="hint" role="alert">To answer with keys, send or clear your message first.</p>}
      {permission.options.map((option) => <ScopeNote key={option.id} option={option} scope={scopeOf(option, tool)} />)}
    </div>
  );
}

const allows = ({ kind }: PermissionChoice): boolean => kind.startsWith("allow");

/** Says what an option does, because the agent chooses its name. */
const meanings: Record<PermissionChoice["kind"], string> = {
  allow_once: "Allow this once",
  allow_always: "Allow this, and don't ask again",
  reject_once: "Reject this once",
  reject_always: "Reject this, and don't ask again",
};

function step(group: HTMLElement | null, by: number): void {
  const buttons = [...(group?.querySelectorAll<HTMLButtonElement>("button:enabled") ?? [])];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[at < 0 ? 0 : (at + by + buttons.length) % buttons.length]?.focus();
}
