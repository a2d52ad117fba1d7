/** A tool call's title in the agent's words, with its path in short form. */
import type { ToolCall } from "../../shared/model.js";
import { visibleLine } from "../text/visible.js";
import { pathIn, withoutFolders } from "./paths.js";
import { PathName } from "./PathName.js";

/** A longer text gets its own line before the path. */
const longestBefore = 16;

export function Title({ tool }: { tool: ToolCall }) {
  const title = visibleLine(tool.title || tool.name || "Tool");
  // Show a command unchanged: it is what will run.
  if (tool.kind === "execute") return <bdi>{title}</bdi>;
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
