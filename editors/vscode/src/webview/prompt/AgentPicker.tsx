/** Chooses the agent of a chat without messages. */
import type { Session } from "../../shared/model.js";
import { store, useTopic } from "../chat/hooks.js";
import { topics } from "../chat/store.js";
import { post } from "../frame/host.js";
import { Icon, Label } from "../frame/components.js";
import { visibleLine } from "../text/visible.js";
import { Picker } from "./Picker.js";

export function AgentPicker({ session }: { session: Session }) {
  useTopic(topics.items);
  const { agent, agents, listsAgents } = session;
  if (store.all().length > 0 || (!listsAgents && agents.length < 2)) return null;
  const label = `Agent: ${visibleLine(agent)}`;
  if (!listsAgents) {
    const entries = agents.map((name) => ({ id: name, name, chosen: name === agent }));
    return (
      <Picker label={label} entries={entries} onPick={(name) => name !== agent && post({ type: "newSession", agent: name })}>
        <span class="picker-name"><Label text={agent} /></span>
      </Picker>
    );
  }
  return (
    <button type="button" class="picker-button" title={label} aria-label={label} aria-haspopup="listbox" onClick={() => post({ type: "chooseAgent" })}>
      <span class="picker-name"><Label text={agent} /></span>
      <Icon name="chevron" class="down" />
    </button>
  );
}
