/** A tool call's arguments: a command as it would be typed, the rest as JSON. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { ToolCall } from "../../shared/model.js";
import { Disclosure } from "../frame/components.js";
import { visible } from "../text/visible.js";
import { PathName } from "./PathName.js";
import { readInput } from "./shownInput.js";
import { useExpanded } from "./hooks.js";

/** Wraps the children, which show the call's results. */
export function Arguments({ tool, children }: { tool: ToolCall; children: ComponentChildren }) {
  // The output only matters while a request is pending: it may be long and
  // arrive in small pieces.
  const said = tool.permission ? tool.content : tool.content.length;
  const { command, folder, rest, restSaid } = useMemo(() => readInput(tool), [tool.input, tool.kind, said, tool.permission]);
  const [open, toggle] = useExpanded(`${tool.id} arguments`, false);
  const asked = tool.permission !== undefined;
  const json = <pre class="json" tabIndex={0} role="group" aria-label="Arguments" dir="ltr">{visible(rest)}</pre>;
  const folded = (
    <div class="arguments">
      <Disclosure open={open} toggle={toggle}>Arguments</Disclosure>
      {open && json}
    </div>
  );
  return (
    <>
      {command !== undefined && (
        <div class="typed">
          <pre class="command" tabIndex={0} role="group" aria-label="Command" dir="ltr">{visible(command)}</pre>
          {folder !== undefined && <p class="caption">in <PathName path={folder} /></p>}
        </div>
      )}
      {/* Show what the user consents to, once. */}
      {rest !== "" && asked && !restSaid && <div class="arguments"><span class="caption">Arguments</span>{json}</div>}
      {rest !== "" && !asked && !restSaid && folded}
      {children}
      {rest !== "" && restSaid && folded}
    </>
  );
}
