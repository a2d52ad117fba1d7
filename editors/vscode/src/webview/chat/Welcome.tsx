/** Shown in an empty chat. */
import { Icon, Label } from "../frame/components.js";
import { startPart } from "../frame/pageParts.js";
import { keys } from "./keys.js";
import { useSession } from "./hooks.js";

export function Welcome() {
  const session = useSession();
  const Start = startPart();
  if (session?.held && session.status === "starting") {
    return (
      <div class="welcome" role="status">
        <Icon name="agent" class="large" />
        <h2>Opening this chat…</h2>
        <p>It is still open in another window, or in this one before it was reloaded.</p>
      </div>
    );
  }
  return (
    <div class="welcome">
      <Icon name="agent" class="large" />
      <h2>Chat with <Label text={session?.agentName ?? session?.agent ?? "the agent"} /></h2>
      <p>Ask about the code, or give it something to do.</p>
      {Start && <Start />}
      <KeyTable />
    </div>
  );
}

export function KeyTable() {
  return (
    <dl class="keys">
      {keys.map(([key, what]) => (
        <div key={key}>
          <dt><kbd>{key}</kbd></dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
