/** The whole view. */
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Session } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { IconButton } from "../frame/components.js";
import { Prompt } from "../prompt/Prompt.js";
import { Announcer } from "./Announcer.js";
import { Find } from "./Find.js";
import { Header, type Panel } from "./Header.js";
import { shows } from "../frame/memory.js";
import { noteKey } from "./guard.js";
import { enterChat, goToQuestion, returnFocus } from "./keys.js";
import { Log } from "./Log.js";
import { PinnedPlan } from "./PinnedPlan.js";
import { Sessions } from "./Sessions.js";
import { ChatId, store, useSession } from "./hooks.js";
import { KeyTable } from "./Welcome.js";
import { roomForList } from "../frame/pageParts.js";

export function App() {
  const session = useSession();
  return session ? <Whole session={session} /> : <div class="app" aria-busy="true" />;
}

function Whole({ session }: { session: Session }) {
  const beside = useRoomForList();
  const [panel, setPanel] = useState<Panel>();
  const { chatId } = session;
  useEffect(() => {
    setPanel(undefined);
    shows(chatId);
  }, [chatId]);

  // Register this before the next key, not after the next frame: Escape may
  // follow at once.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.altKey && event.key === "Enter") goToQuestion();
      else if (event.altKey && event.key === "ArrowUp") enterChat();
      else if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "f") setPanel("find");
      else if (event.key === "Escape") {
        if (panel !== undefined) setPanel(undefined);
        else if (store.session?.status === "running") post({ type: "cancel" });
        returnFocus(true);
      }
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [panel]);

  useLayoutEffect(() => {
    document.addEventListener("keydown", noteKey, { capture: true });
    return () => document.removeEventListener("keydown", noteKey, { capture: true });
  }, []);

  const close = () => {
    setPanel(undefined);
    returnFocus(panel === "find");
  };
  const chat = (
    <ChatId.Provider value={chatId} key={chatId}>
      <main class="app">
        <Header session={session} panel={panel} lists={!beside} show={(wanted) => setPanel(wanted === panel ? undefined : wanted)} />
        {panel === "sessions" && !beside && <Sessions close={close} />}
        {panel === "keys" && (
          <section class="panel" aria-label="Keyboard shortcuts">
            <div class="panel-head"><h2>Keyboard shortcuts</h2><IconButton icon="close" label="Close (Escape)" onClick={close} /></div>
            <KeyTable />
          </section>
        )}
        {panel === "find" && <Find close={close} />}
        <Log />
        <PinnedPlan />
        <Prompt session={session} />
        <Announcer />
      </main>
    </ChatId.Provider>
  );
  // The chat keeps its place, so that it stays as it is when the window's width changes.
  return <div class={beside ? "two" : "one"}>{beside && <Sessions />}{chat}</div>;
}

/** Whether the chat list is next to the chat. */
function useRoomForList(): boolean {
  const [query] = useState(roomForList);
  const [room, setRoom] = useState(query?.matches ?? false);
  useEffect(() => {
    const onChange = (): void => setRoom(query?.matches ?? false);
    query?.addEventListener("change", onChange);
    return () => query?.removeEventListener("change", onChange);
  }, [query]);
  return room;
}
