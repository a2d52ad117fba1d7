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
import { Around, Foot } from "./Around.js";
import { Client } from "./client.js";
import { keepPage } from "./worker.js";

/**
 * Returns the token after the # of a scanned code, and removes it from the
 * address bar and the history.
 */
function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? undefined;
  if (location.hash !== "") history.replaceState(null, "", "/");
  return token;
}

const token = takeToken();
const client = new Client();
const doings = { logIn: (t: string) => client.logIn(t), logOut: () => client.logOut(), tryNow: () => client.tryNow() };
setPageParts({ foot: () => <Foot doings={doings} />, roomForList: "(min-width: 800px)" });
const around = document.getElementById("around");
if (around) render(<Around doings={doings} />, around);
keepPage();
void client.start(token);
