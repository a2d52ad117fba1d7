// A stand-in for an agent that needs a login first: the user is logged in while FILE exists.
// Started as `login.mjs FILE WHEN`, it asks for a login at `new` or `prompt`. A third
// argument changes that: `login CODE` runs the terminal login, `silent` lists no method, and
// `late` lists methods only in the second `initialize` response.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { listen, say, send } from "./line.mjs";

const [file, when, login, code] = process.argv.slice(2);
const logIn = () => writeFileSync(file, process.env.LOGIN_AS ?? "");

if (login === "login") {
  if (code === "0") logIn();
  process.exit(Number(code));
}

const wanted = (id, at) => {
  if (existsSync(file) || at !== when) return false;
  send({ id, error: { code: -32000, message: "Authentication required", data: { details: "Who are you?" } } });
  return true;
};

const authMethods = [
  { id: "none", name: "No login needed", _meta: { "turnwire.dev/no-login": true } },
  { id: "browser", name: "With the browser", description: "Opens a page." },
  { id: "broken", name: "Broken", type: "agent" },
  { id: "never", name: "Never ends" },
  { id: "terminal", name: "In a terminal", type: "terminal", args: ["login", "0"], env: { LOGIN_AS: "me" } },
  { id: "failing", name: "In a terminal, and fails", type: "terminal", args: ["login", "3"] },
  { id: "older", name: "In a terminal, as before", _meta: { "terminal-auth": { command: process.execPath, args: [process.argv[1], file, when, "login", "0"], label: "Log in" } } },
  { id: "key", name: "With a key", type: "env_var", vars: [{ name: "TEA_KEY", label: "Key" }, { name: "TEA_HOST", optional: true }] },
  { id: "browser", name: "Twice" },
  { id: "later", name: "Of a later version", type: "_retina" },
  { name: "Without an id" },
];

let asked = 0;

listen(
  {
    initialize: ({ id }) => {
      const says = login !== "silent" && (login !== "late" || asked++ > 0);
      send({ id, result: { protocolVersion: 1, authMethods: says ? authMethods : [], agentCapabilities: { auth: { logout: {} } } } });
    },
    "session/new": ({ id }) => wanted(id, "new") || send({ id, result: { sessionId: "s" } }),
    "session/prompt": ({ id }) => {
      if (wanted(id, "prompt")) return;
      say("Done.");
      send({ id, result: { stopReason: "end_turn" } });
    },
    authenticate: ({ id, params: { methodId } }) => {
      if (methodId === "browser") {
        logIn();
        send({ id, result: {} });
      } else if (methodId !== "never") send({ id, error: { code: -32603, message: "Internal error", data: { details: `${methodId} does not work` } } });
    },
    logout: ({ id }) => {
      rmSync(file);
      send({ id, result: {} });
    },
  },
);
