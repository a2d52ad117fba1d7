/** What a tool was called with: a command as it would be typed, the rest as JSON. */
import { useMemo } from "preact/hooks";
import type { ToolCall } from "../../shared/model.js";
import { Disclosure } from "../frame/parts.js";
import { visible } from "../text/visible.js";
import { useExpanded } from "./use.js";

interface Parts {
  command?: string;
  rest: string;
}

export function Arguments({ tool }: { tool: ToolCall }) {
  const { command, rest } = useMemo(() => parts(tool), [tool.input, tool.kind]);
  const asked = tool.permission !== undefined;
  const [open, toggle] = useExpanded(`${tool.id} arguments`, false);
  return (
    <>
      {command !== undefined && <pre class="command" tabIndex={0} role="group" aria-label="Command" dir="ltr">{visible(command)}</pre>}
      {rest !== "" && (
        <div class="arguments">
          {asked ? <span class="caption">Arguments</span> : <Disclosure open={open} toggle={toggle}>Arguments</Disclosure>}
          {(open || asked) && <pre class="json" tabIndex={0} role="group" aria-label="Arguments" dir="ltr">{visible(rest)}</pre>}
        </div>
      )}
    </>
  );
}

function parts({ kind, input }: ToolCall): Parts {
  if (kind !== "execute" || input.length > 100_000) return { rest: input };
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== "object" || value === null || !("command" in value) || typeof value.command !== "string") {
      return { rest: input };
    }
    const { command, ...rest } = value;
    return { command, rest: Object.keys(rest).length === 0 ? "" : JSON.stringify(rest, null, 2) };
  } catch {
    return { rest: input }; // it was cut
  }
}
