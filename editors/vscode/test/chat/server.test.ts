import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { Desk, standIn, turnwire } from "./desk.js";

/** Starts a server; resolves when it serves. */
async function serve(socket: string, agent: string[]): Promise<ChildProcess> {
  const server = spawn(turnwire.command, ["serve", "--socket", socket, ...agent], { stdio: ["ignore", "ignore", "pipe"] });
  const [line] = (await once(createInterface(server.stderr!), "line")) as [string];
  assert.match(line, /serving/);
  return server;
}

async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
}

/** Runs a test with a server, and a function that kills and restarts it. */
async function withServer(run: (desk: Desk, kill: () => Promise<void>, restart: () => Promise<void>, socket: string) => Promise<void>, agent: string[] = []): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tw-"));
  const socket = join(folder, "s.sock");
  let server = await serve(socket, agent);
  try {
    await Desk.use({ agent: { ...turnwire, args: ["acp", `--server=${socket}`] } }, (desk) =>
      run(
        desk,
        () => kill(server),
        async () => void (server = await serve(socket, agent)),
        socket,
      ),
    );
  } finally {
    await kill(server);
    await rm(folder, { recursive: true, force: true });
  }
}

test("a killed server ends the turn once it runs again, and holds the queue", () =>
  withServer(async (desk, kill, restart) => {
    const over = desk.prompt("/run sleep 600");
    const { permission } = await desk.view.asks();
    const allow = permission.options.find(({ kind }) => kind === "allow_once") ?? assert.fail();
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: allow.id });
    await desk.say({ type: "prompt", text: "/say Later.", attachments: [] });
    await kill();
    await restart();
    await over;
    assert.equal(desk.view.queue.held, "failed");
    assert.ok(desk.view.all("tool").every(({ status }) => status !== "in_progress"), "no call is running");
    assert.match(desk.view.all("notice").map(({ title }) => title).join("\n"), /The server was restarted/);
    await desk.prompt("/say Between.");
    assert.match(desk.view.text, /Between\./);
    await desk.say({ type: "resumeQueue" });
    assert.match(desk.view.text, /Later\./);
    assert.equal(desk.view.session.status, "idle");
  }));

test("a turn can be cancelled while its server does not run", () =>
  withServer(async (desk, kill, restart) => {
    const over = desk.prompt("/run sleep 600");
    await desk.view.asks();
    await kill();
    await desk.say({ type: "cancel" });
    await over;
    assert.equal(desk.view.session.status, "idle");
    await restart();
    await desk.prompt("/say Again.");
    assert.match(desk.view.text, /Again\./);
  }));

test("what another client decides is shown, with where", () =>
  withServer(async (desk) => {
    await desk.prompt("/say Hi.");
    const other = desk.beside();
    await other.ready();
    const over = desk.prompt("/run echo done");
    await desk.view.asks();
    const { permission } = await other.view.asks();
    const reject = permission.options.find(({ kind }) => kind === "reject_once") ?? assert.fail();
    await other.say({ type: "permission", requestId: permission.requestId, optionId: reject.id });
    await over;
    const decisions = (): unknown[] => desk.view.all("tool").map(({ decision, refused }) => ({ decision, refused }));
    assert.deepEqual(decisions(), [{ decision: "Rejected, from Turnwire for VS Code", refused: true }]);
    assert.equal(other.view.all("tool")[0]?.decision, "Rejected");
    await other.host.close();
    await desk.reload();
    assert.deepEqual(decisions(), [{ decision: "Rejected", refused: true }]);
  }));

test("a chat that goes on from a message is the only client of its session", () =>
  withServer(async (desk, _kill, _restart, socket) => {
    await desk.prompt("one");
    await desk.prompt("two");
    await desk.say({ type: "rewind", id: desk.view.all("user")[1]?.id ?? assert.fail(), undo: false });
    const id = desk.host.conversation.sessionId ?? assert.fail();
    const live = execFileSync(turnwire.command, ["sessions", "live", "--socket", socket, "--json"], { encoding: "utf8" });
    const { clients } = (JSON.parse(live) as { sessionId: string; clients: unknown[] }[]).find(({ sessionId }) => sessionId === id) ?? assert.fail(live);
    assert.equal(clients.length, 1);
  }, ["--", process.execPath, standIn("historian").args[0]!]));
