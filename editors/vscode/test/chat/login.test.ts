import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import type { Command } from "../../src/chat/command.js";
import type { Login } from "../../src/shared/model.js";
import { Desk, standIn, turnwire } from "./desk.js";

/** A desk with an agent that needs a login; `file` exists while the user is logged in. */
async function withLogin(when: "new" | "prompt", run: (desk: Desk, file: string) => Promise<void>, through?: (agent: Command) => Command): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "turnwire-login-"));
  const file = join(folder, "logged-in");
  const agent = standIn("login", file, when);
  try {
    await Desk.use({ agent: through?.(agent) ?? agent, start: false }, async (desk) => {
      desk.editor.login = async ({ command, args, env, cwd }) => {
        const [code] = await once(spawn(command, args, { cwd, env: { ...process.env, ...env } }), "exit");
        return code as number;
      };
      await run(desk, file);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const open = (desk: Desk): Login | undefined => desk.view.all("login").find((login) => login.answer === undefined);

async function offered(desk: Desk): Promise<Login> {
  await desk.view.until(() => open(desk)?.trying === undefined && open(desk));
  return open(desk) ?? assert.fail();
}

const choose = (desk: Desk, login: Login, methodId: string): Promise<void> => desk.say({ type: "login", loginId: login.id, methodId });

test("the login methods of an agent are offered, and the session starts after the login", () =>
  withLogin("new", async (desk, file) => {
    const ready = desk.ready();
    const login = await offered(desk);
    assert.equal(login.message, "Who are you?");
    assert.deepEqual(login.methods.map(({ id, command, variables }) => [id, command !== undefined, variables?.map(({ name, optional }) => `${name} ${optional}`)]), [
      ["browser", false, undefined],
      ["broken", false, undefined],
      ["never", false, undefined],
      ["terminal", true, undefined],
      ["failing", true, undefined],
      ["older", true, undefined],
      ["key", false, ["TEA_KEY false", "TEA_HOST true"]],
    ]);
    assert.equal(existsSync(file), false, "it was logged in unasked");
    assert.deepEqual(desk.editor.asks.map((ask) => ask.id), [login.id]);
    await choose(desk, login, "browser");
    await ready;
    assert.equal(desk.view.all("login")[0]?.answer, "Logged in: With the browser");
    assert.deepEqual(desk.editor.settledIds, [login.id]);
    await desk.prompt("go");
    assert.equal(desk.view.text, "Done.");
  }));

test("a failed login is reported, and another method can be tried", () =>
  withLogin("new", async (desk, file) => {
    const ready = desk.ready();
    let login = await offered(desk);
    for (const [way, fault] of [["broken", "broken does not work"], ["failing", "The login command failed (exit status 3)."]] as const) {
      await choose(desk, login, way);
      login = await offered(desk);
      assert.equal(login.fault, fault);
    }
    desk.editor.login = async () => undefined;
    await choose(desk, login, "terminal");
    login = await offered(desk);
    assert.match(login.fault ?? "", /was closed/);
    for (const none of ["key", "later", "no such way"]) await choose(desk, login, none);
    assert.equal(open(desk)?.trying, undefined);
    assert.equal(existsSync(file), false);
    await choose(desk, login, "browser");
    await ready;
    assert.equal(desk.view.session.status, "idle");
  }));

for (const [way, as] of [["terminal", "me"], ["older", ""]] as const) {
  test(`a login in a terminal is the agent's command with more behind it: ${way}`, () =>
    withLogin("new", async (desk, file) => {
      const ready = desk.ready();
      const login = await offered(desk);
      const shown = login.methods.find(({ id }) => id === way)?.command ?? "";
      assert.match(shown, /login\.mjs .*logged-in new login 0$/);
      assert.equal(shown.startsWith("LOGIN_AS=me "), way === "terminal");
      await choose(desk, login, way);
      await ready;
      assert.equal(readFileSync(file, "utf8"), as);
      assert.equal(desk.editor.logins[0]?.cwd, desk.path(".").replace(/\/\.?$/, ""));
    }));
}

test("a prompt that needs a login continues after it", () =>
  withLogin("prompt", async (desk) => {
    await desk.ready();
    const turn = desk.prompt("go");
    await choose(desk, await offered(desk), "terminal");
    await turn;
    assert.equal(desk.view.text, "Done.");
    assert.deepEqual(desk.view.items.map((item) => item.type), ["user", "login", "message"]);
  }));

test("a declined login reports what failed, and is offered again", () =>
  withLogin("new", async (desk) => {
    const ready = desk.ready();
    await desk.say({ type: "declineLogin", loginId: (await offered(desk)).id });
    await ready;
    assert.deepEqual([desk.view.session.status, desk.view.all("notice")[0]?.title], ["failed", "Who are you?"]);
    const turn = desk.prompt("go");
    await choose(desk, await offered(desk), "browser");
    await turn;
    assert.equal(desk.view.text, "Done.");
  }));

test("a cancel, a closed chat and an agent's exit withdraw the login", () =>
  withLogin("prompt", async (desk) => {
    await desk.ready();
    let turn = desk.prompt("go");
    await choose(desk, await offered(desk), "never");
    await desk.view.until(() => open(desk)?.trying === "never");
    await desk.say({ type: "cancel" });
    await turn;
    desk.editor.login = (_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    turn = desk.prompt("go");
    await choose(desk, await offered(desk), "terminal");
    await desk.host.conversation.live?.close();
    await turn;
    turn = desk.prompt("go");
    await offered(desk);
    await desk.host.restart();
    await turn;
    desk.host.flush();
    assert.deepEqual(desk.view.all("login").map((login) => login.answer), ["Cancelled", "The agent stopped", "Cancelled"]);
  }));

test("an agent that does not say how to log in is an error that says so", () =>
  withLogin("new", async (desk) => {
    await desk.ready();
    const [notice] = desk.view.all("notice");
    assert.match(notice?.title ?? "", /requires a login: Who are you\?/);
    assert.match(notice?.description ?? "", /documentation for how to log in/);
    assert.equal(desk.view.all("login").length, 0);
  }, ({ command, args, env }) => ({ command, args: [...args, "silent"], env })));

test("an agent that reports its login methods late is asked again", () =>
  withLogin("new", async (desk) => {
    const ready = desk.ready();
    await choose(desk, await offered(desk), "browser");
    await ready;
    await desk.prompt("go");
    assert.equal(desk.view.text, "Done.");
  }, ({ command, args, env }) => ({ command, args: [...args, "late"], env })));

test("the user can log out after a confirmation", () =>
  withLogin("prompt", async (desk, file) => {
    await desk.ready();
    const turn = desk.prompt("go");
    await choose(desk, await offered(desk), "browser");
    await turn;
    desk.editor.yes = false;
    await desk.host.logOut();
    assert.ok(existsSync(file));
    desk.editor.yes = true;
    await desk.host.logOut();
    assert.equal(existsSync(file), false);
    assert.equal(desk.view.all("notice").length, 0);
    desk.host.flush();
    assert.equal(desk.view.all("notice")[0]?.title, "Logged out.");
  }));

test("behind Turnwire an agent's logins are the same, and its terminal is Turnwire's", () =>
  withLogin(
    "new",
    async (desk) => {
      const ready = desk.ready();
      const login = await offered(desk);
      assert.match(login.methods.find(({ id }) => id === "terminal")?.command ?? "", /turnwire\S* acp --agent acp -- .*login\.mjs .*logged-in new login 0$/);
      await choose(desk, login, "browser");
      await ready;
      await desk.prompt("go");
      assert.equal(desk.view.text, "Done.");
      assert.equal(desk.host.conversation.live?.canLogOut, true);
    },
    ({ command, args }) => ({ ...turnwire, args: ["acp", "--agent", "acp", "--", command, ...args] }),
  ));

test("an agent without logins offers no logout", () =>
  Desk.use({}, async (desk) => {
    await desk.host.logOut();
    assert.match(desk.editor.told[0] ?? "", /does not support logging out/);
  }));
