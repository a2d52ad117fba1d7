/** The chat's title, and buttons for other chats. */
import type { Session } from "../../shared/model.js";
import { plural } from "../frame/format.js";
import { post } from "../frame/host.js";
import { Icon, IconButton, Label } from "../frame/components.js";
import { Picker } from "../prompt/Picker.js";

import { topics } from "./store.js";
import { store, useTopic } from "./hooks.js";

export type Panel = "sessions" | "keys" | "find";

interface Props {
  session: Session;
  panel: Panel | undefined;
  /** Whether to offer the list of chats. */
  lists: boolean;
  show(panel: Panel): void;
}

export function Header({ session, panel, lists, show }: Props) {
  return (
    <header class="header">
      <h1 class="chat-title"><Label text={session.title || "New chat"} /></h1>
      <IconButton icon="keyboard" label="Keyboard shortcuts" expanded={panel === "keys"} onClick={() => show("keys")} />
      {lists && <ChatsButton expanded={panel === "sessions"} onClick={() => show("sessions")} />}
      {session.agents.length > 1 ? (
        <Picker
          class="new-chat"
          label="New chat with…"
          entries={session.agents.map((agent) => ({ id: agent, name: agent, chosen: agent === session.agent }))}
          onPick={(agent) => post({ type: "newSession", agent })}
          arrow={false}
        >
          <Icon name="add" />
        </Picker>
      ) : (
        <IconButton icon="add" label="New chat" onClick={() => post({ type: "newSession" })} />
      )}
    </header>
  );
}

/** Opens the list of chats, and counts the other chats that wait for the user. */
function ChatsButton({ expanded, onClick }: { expanded: boolean; onClick: () => void }) {
  useTopic(topics.openChats);
  const waiting = [...store.openChats.values()].filter(({ state, current }) => state === "waiting" && !current).length;
  const label = waiting === 0 ? "Chats" : `Chats, ${plural(waiting, "other chat waits", "other chats wait")} for you`;
  return (
    <span class="counted">
      <IconButton icon="history" label={label} expanded={expanded} onClick={onClick} />
      {waiting > 0 && <span class="count" aria-hidden="true">{waiting}</span>}
    </span>
  );
}
