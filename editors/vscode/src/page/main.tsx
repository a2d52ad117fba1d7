/**
 * The page of `turnwire serve`: the extension's chat, with its host in the page
 * itself, and a server instead of an agent process.
 */
import "./strict.js";
import "./viewBridge.js";
import "./theme.js";
import { render } from "preact";
import { setPageParts } from "../webview/frame/pageParts.js";
import "../webview/main.js";
import { Around, Foot, Start } from "./Around.js";
import { Client } from "./client.js";
import { keepPage, onOpenSession } from "./worker.js";

/**
 * Returns what is after the # of a scanned code or of a notification's address,
 * and removes it from the address bar and the history.
 */
function takeHash(): URLSearchParams {
  const hash = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== "") history.replaceState(null, "", "/");
  return hash;
}

const hash = takeHash();
const client = new Client();
const doings = { logIn: (t: string) => client.logIn(t), logOut: () => client.logOut(), tryNow: () => client.tryNow(), startIn: (folder: string) => client.startIn(folder), push: client.push, saved: client.saved };
setPageParts({ foot: () => <Foot doings={doings} />, start: () => <Start doings={doings} />, roomForList: "(min-width: 800px)" });
const around = document.getElementById("around");
if (around) render(<Around doings={doings} />, around);
keepPage();
onOpenSession((session) => void client.open(session));
// A link to a session may reach the page that is already open.
window.addEventListener("hashchange", () => {
  const session = takeHash().get("session");
  if (session !== null) void client.open(session);
});
void client.start(hash.get("token") ?? undefined, hash.get("session") ?? undefined);
