// The official TypeScript SDK as the client of an agent, for probe.mjs and transcript.mjs.

import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import * as acp from "@agentclientprotocol/sdk";

export const task = JSON.parse(process.argv[2]);
export const log = createWriteStream(task.log, { flags: "a" });
const { methods } = acp;

export class Failed extends Error {}

// A Connection is one run of Turnwire and the agent.
export class Connection {
  updates = [];
  asked = [];
  onUpdate = () => {};
  answer = "reject";

  static async open() {
    const c = new Connection();
    const [program, ...args] = task.command;
    const child = spawn(program, args, { cwd: task.folder, stdio: ["pipe", "pipe", "pipe"] });
    c.child = child;
    c.exited = new Promise((resolve) => {
      child.on("error", resolve);
      child.on("close", resolve);
    });
    child.stderr.on("data", (text) => log.write(text));
    child.stdin.on("error", () => {});
    const output = new WritableStream({
      write: (bytes) => {
        log.write(Buffer.concat([Buffer.from("> "), bytes]));
        return new Promise((resolve, reject) => child.stdin.write(bytes, (err) => (err ? reject(err) : resolve())));
      },
    });
    const input = new ReadableStream({
      start(controller) {
        child.stdout.on("data", (bytes) => {
          log.write(bytes);
          controller.enqueue(new Uint8Array(bytes));
        });
        child.stdout.on("end", () => controller.close());
      },
    });
    c.agent = acp
      .client({ name: "compatibility" })
      .onRequest(methods.client.session.requestPermission, ({ params }) => c.permission(params))
      .onNotification(methods.client.session.update, ({ params }) => {
        c.updates.push(params.update);
        c.options = params.update.configOptions ?? c.options; // of some agents, only known after a while
        c.onUpdate(params.update);
      })
      .connect(acp.ndJsonStream(output, input)).agent;
    c.initialized = await c.call("initialize", {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "compatibility", version: "1" },
    });
    if (task.login) await c.call("authenticate", { methodId: task.login });
    return c;
  }

  async call(method, params) {
    const gone = this.exited.then(() => Promise.reject(new Failed(`Turnwire exited during ${method}`)));
    return Promise.race([this.agent.request(method, params), gone]);
  }

  async start() {
    this.session = await this.call("session/new", { cwd: task.folder, mcpServers: [] });
    this.id = this.session.sessionId;
    this.options ??= this.session.configOptions;
    if (task.mode) await this.call("session/set_mode", { sessionId: this.id, modeId: task.mode });
    return this;
  }

  // Turnwire answers for an agent that starts slowly, unless it knows the agent's answer from an
  // earlier start.
  static async introduce() {
    const c = await (await Connection.open()).start();
    await c.prompt(task.words.hello);
    await c.close();
  }

  permission({ options, toolCall }) {
    this.asked.push(toolCall);
    const option = options.find((o) => o.kind === `${this.answer}_once`) ?? options.find((o) => o.kind.startsWith(this.answer));
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  }

  // prompt runs a turn, and returns its text and how it ended.
  async prompt(text, ...more) {
    this.updates = [];
    this.asked = [];
    const { stopReason } = await this.call("session/prompt", { sessionId: this.id, prompt: [{ type: "text", text }, ...more] });
    return { stopReason, text: this.text() };
  }

  text(kind = "agent_message_chunk") {
    return this.updates.filter((u) => u.sessionUpdate === kind).map((u) => u.content.text ?? "").join("");
  }

  async close() {
    this.child.stdin.end();
    const patience = setTimeout(() => this.child.kill("SIGKILL"), 30_000);
    await this.exited;
    clearTimeout(patience);
  }
}
