/** A tool call's title in the agent's words, with its path in short form. */
import type { ToolCall } from "../../shared/model.js";
import { visibleLine } from "../text/visible.js";
import { pathIn, withoutFolders } from "./paths.js";
import { readInput } from "./shownInput.js";
import { PathName } from "./PathName.js";

/** A longer text gets its own line before the path. */
const longestBefore = 16;

function CommandTitle({ title, command }: { title: string; command: string }) {
  const at = command === "" ? -1 : title.indexOf(command);
  if (at < 0) return <bdi>{title}</bdi>;
  return (
    <bdi class="command-title">
      {title.slice(0, at)}
      <code dir="ltr">{command}</code>
      {title.slice(at + command.length)}
    </bdi>
  );
}

export function Title({ tool }: { tool: ToolCall }) {
  const title = visibleLine(tool.title || tool.name || "Tool");
  // Show a command unchanged: it is what will run.
  if (tool.kind === "execute") return <CommandTitle title={title} command={visibleLine(readInput(tool).command ?? "")} />;
  const paths = [...tool.locations.map(({ path }) => path), ...tool.content.flatMap((part) => (part.type === "diff" ? [part.path] : []))];
  const found = pathIn(title, paths);
  if (!found) return <bdi>{withoutFolders(title)}</bdi>;
  const before = withoutFolders(title.slice(0, found.from));
  return (
    <bdi>
      {before}
      <PathName path={title.slice(found.from, found.to)} behind={before.length <= longestBefore ? before.length : 0} />
      {withoutFolders(title.slice(found.to))}
    </bdi>
  );
}
