/**
 * One item of the chat. It only subscribes to its own item, so that a stream
 * doesn't redraw the others.
 */
import type { ComponentChildren } from "preact";
import { memo } from "preact/compat";
import type { Item } from "../../shared/model.js";
import { ChangesView } from "./Changes.js";
import { ChunkList } from "./ChunkList.js";
import { AgentView, NoticeView, PlanView, ThoughtView, UserView } from "./Messages.js";
import { LoginView } from "./Login.js";
import { QuestionView } from "./Question.js";
import { Tool } from "./Tool.js";
import { store, useItem } from "./hooks.js";

const names: Record<Item["type"], string> = {
  user: "You",
  message: "Agent",
  thought: "Thought",
  tool: "Tool",
  plan: "Plan",
  changes: "Changed files",
  notice: "Notice",
  question: "Question",
  login: "Login",
};

export const ItemView = memo(function ItemView({ id }: { id: string }) {
  const item = useItem(id);
  if (!item) return null;
  return (
    <article class={`item item-${item.type} ${holdsItems(id) ? "holds-items" : ""}`} data-id={id} tabIndex={-1} aria-label={names[item.type]}>
      <Body item={item} />
    </article>
  );
});

function Body({ item }: { item: Item }) {
  switch (item.type) {
    case "user":
      return <UserView item={item} />;
    case "message":
      return <AgentView item={item} />;
    case "thought":
      return <ThoughtView item={item} />;
    case "tool":
      return <Tool tool={item}>{inside(item.id)}</Tool>;
    case "plan":
      return <PlanView item={item} />;
    case "changes":
      return <ChangesView item={item} />;
    case "notice":
      return <NoticeView item={item} />;
    case "question":
      return <QuestionView item={item} />;
    case "login":
      return <LoginView item={item} />;
    default:
      return null; // from a newer host
  }
}

const holdsItems = (id: string): boolean => store.tree.list(id).all.length > 0;

/** Shows a sub-agent's calls inside the call that started it. */
function inside(id: string): ComponentChildren {
  if (!holdsItems(id)) return undefined;
  return (
    <div class="inside" role="group" aria-label="Steps inside">
      <ChunkList parent={id} />
    </div>
  );
}
