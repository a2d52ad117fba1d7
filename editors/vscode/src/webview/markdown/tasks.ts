/** Task lists: `- [x] done` and `- [ ] not done`, as items with the classes `task` and `done`. */
import type MarkdownIt from "markdown-it";

const box = /^\[([ xX])\]\s+/;

export function tasks(parser: InstanceType<typeof MarkdownIt>): void {
  parser.core.ruler.after("inline", "tasks", ({ tokens }) => {
    tokens.forEach((item, index) => {
      const inline = tokens[index + 2];
      if (item.type !== "list_item_open" || inline?.type !== "inline") return;
      const first = inline.children?.[0];
      const [all, mark] = (first?.type === "text" && box.exec(first.content)) || [];
      if (!first || all === undefined) return;
      first.content = first.content.slice(all.length);
      item.attrSet("class", mark === " " ? "task" : "task done");
    });
  });
}
