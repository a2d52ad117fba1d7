import { after, before, test } from "node:test";

import { leaveBrowser } from "../browser.js";
import { Server } from "./server.js";
import { Window } from "./window.js";

let server: Server;

before(async () => {
  server = await Server.start({ "turnwire.command": undefined });
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

test("the extension alone is enough: it includes the program", async () => {
  const window = await Window.open(server, await server.workspace("included", {}));
  await window.newChat();
  await window.say("/say Hello.");
  await window.said("All done: 1 step.");
});
