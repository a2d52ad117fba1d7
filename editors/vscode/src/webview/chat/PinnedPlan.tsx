/** The running turn's plan above the prompt: its state stays in sight when its card scrolls away. */
import { Disclosure, Icon, Label } from "../frame/components.js";
import { store, useExpanded, useItem, useSession, useTopic } from "./hooks.js";
import { PlanSteps } from "./Messages.js";
import { topics } from "./store.js";

export function PinnedPlan() {
  useTopic(topics.items);
  const running = useSession()?.status === "running";
  return running && store.plan !== undefined ? <Pinned key={store.plan} id={store.plan} /> : null;
}

function Pinned({ id }: { id: string }) {
  const item = useItem(id);
  const [open, toggle] = useExpanded(`pinned ${id}`, false);
  if (item?.type !== "plan" || item.over) return null;
  const done = item.entries.filter(({ status }) => status === "completed").length;
  const now = item.entries.find(({ status }) => status === "in_progress") ?? item.entries.find(({ status }) => status === "pending");
  if (!now) return null;
  return (
    <section class="pinned-plan" aria-label="Plan">
      <Disclosure open={open} toggle={toggle}>
        <Icon name="plan" class="kind" />
        <span class="pinned-step"><Label text={now.content} /></span>
        <span class="facts">{done} of {item.entries.length}</span>
      </Disclosure>
      {open && <PlanSteps item={item} />}
    </section>
  );
}
