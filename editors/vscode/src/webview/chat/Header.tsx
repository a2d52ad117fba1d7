/** The chat's title, and buttons for other chats. */
import type { Session } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { Icon, IconButton, Label } from "../frame/components.js";
import { Picker } from "../prompt/Picker.js";

export type Panel = "sessions" | "keys";

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
      {lists && <IconButton icon="history" label="Chats" expanded={panel === "sessions"} onClick={() => show("sessions")} />}
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
