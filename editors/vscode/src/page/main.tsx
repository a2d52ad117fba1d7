/**
 * The page of `turnwire serve`: the chat of the extension, with its host in the
 * page itself and a server in the place of an agent's process.
 */
import "./strict.js";
import "./door.js";
import "./theme.js";
import { render } from "preact";
import { setPanelFoot } from "../webview/frame/foot.js";
import "../webview/main.js";
import { Around, Foot } from "./Around.js";
import { Client } from "./client.js";
import { keepPage } from "./worker.js";

/** What a scanned code has behind its #; it is out of sight, and of the history, at once. */
function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? undefined;
  if (location.hash !== "") history.replaceState(null, "", "/");
  return token;
}

const token = takeToken();
const client = new Client();
const doings = { logIn: (t: string) => client.logIn(t), logOut: () => client.logOut(), tryNow: () => client.tryNow() };
setPanelFoot(() => <Foot doings={doings} />);
const around = document.getElementById("around");
if (around) render(<Around doings={doings} />, around);
keepPage();
void client.start(token);
