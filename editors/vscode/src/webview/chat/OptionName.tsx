/** Option names, and what a lasting option covers. */
import type { PermissionChoice } from "../../shared/model.js";
import { Label } from "../frame/components.js";
import { visibleLine } from "../text/visible.js";
import type { Scope } from "./scope.js";

/** A name from the agent; text in backticks is code. */
export function OptionName({ name }: { name: string }) {
  const parts = name.split("`");
  if (parts.length < 3 || parts.length % 2 === 0) return <Label text={name} />;
  return <bdi>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{visibleLine(part)}</code> : part))}</bdi>;
}

export function ScopeNote({ option, scope }: { option: PermissionChoice; scope: Scope | undefined }) {
  if (!scope) return null;
  return (
    <p class="scope">
      <Label text={option.name} />: {scope.code ? <code>{scope.text}</code> : <Label text={scope.text} />} and possibly more.
      The agent does not say what else is covered.
    </p>
  );
}
