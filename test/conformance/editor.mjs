// An editor: the official client, connected to the built binary, with a
// transcript of every line.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import * as acp from "@agentclientprotocol/sdk";
import * as unstable from "@agentclientprotocol/sdk/unstable";

import { broken } from "./laws.mjs";
import { Terminals } from "./terminals.mjs";
import { Transcript } from "./transcript.mjs";

const binary = process.env.TURNWIRE_BINARY;
assert.ok(binary, "TURNWIRE_BINARY must name the binary to test");

const { methods } = acp;

export class Editor {
  transcript = new Transcript();
  buffers = new Map(); // unsaved text by path
  terminals = new Terminals();
  // What the user does. A test replaces what it needs.
  onPermission = () => ({ outcome: { outcome: "cancelled" } });
  onElicitation = () => ({ action: "cancel" });

  // use opens an editor for run, and closes it. An error in run takes precedence
  // over errors found at the end.
  static async use(options, run) {
    const editor = await Editor.open(options);
    try {
      await run(editor);
    } catch (err) {
      await editor.close().catch((atEnd) => (err.message += `\n\nand at the end: ${atEnd.message}`));
      throw err;
    }
    await editor.close();
  }

  // open starts the binary in a new workspace with these files, and sends
  // initialize and session/new; if load names a session, it sends session/load.
  // With connect it starts nothing, and uses the stream that connect returns.
  static async open({ capabilities = {}, files = {}, program = binary, env = {}, args = ["acp"], protocolVersion = acp.PROTOCOL_VERSION, load, connect } = {}) {
    const editor = new Editor();
    editor.capabilities = capabilities;
    // Resolve links, because tests compare this path with the one Turnwire
    // reports.
    editor.cwd = await realpath(await mkdtemp(join(tmpdir(), "turnwire-")));
    for (const [name, text] of Object.entries(files)) await writeFile(editor.path(name), text);
    if (connect) editor.#join(connect());
    else editor.#start(program, args, env);
    editor.initialized = await editor.request(methods.agent.initialize, {
      protocolVersion,
      clientCapabilities: capabilities,
      clientInfo: { name: "conformance", version: "1" },
    });
    if (load) {
      const start = editor.transcript.entries.length;
      editor.session = await editor.request(methods.agent.session.load, { sessionId: load, cwd: editor.cwd, mcpServers: [] });
      editor.sessionId = load;
      const entries = editor.transcript.entries.slice(start);
      editor.loaded = new Turn({}, entries.slice(0, entries.findIndex((e) => e.kind === "response" && e.method === methods.agent.session.load)));
      return editor;
    }
    const session = await editor.request(methods.agent.session.new, { cwd: editor.cwd, mcpServers: [] });
    editor.session = session;
    editor.sessionId = session.sessionId;
    return editor;
  }

  path(name) {
    return join(this.cwd, name);
  }

  read(name) {
    return readFile(this.path(name), "utf8");
  }

  request(method, params, options) {
    return this.#agent.request(method, params, options);
  }

  // prompt runs a turn. Its updates are those between the prompt and its response
  // on the wire.
  async prompt(text, options) {
    const start = this.transcript.entries.length;
    const response = await this.request(
      methods.agent.session.prompt,
      { sessionId: this.sessionId, prompt: [{ type: "text", text }] },
      options,
    );
    const entries = this.transcript.entries.slice(start);
    return new Turn(response, entries.slice(0, entries.findIndex((e) => e.kind === "response" && e.method === methods.agent.session.prompt)));
  }

  cancel() {
    return this.#agent.notify(methods.agent.session.cancel, { sessionId: this.sessionId });
  }

  // seen resolves when a matching update was sent.
  seen(matches) {
    return this.transcript.when((e) => e.message.params?.update && matches(e.message.params.update));
  }

  // close closes the input and checks everything that must hold for any
  // conversation.
  async close() {
    if (this.#hangUp) this.#hangUp.abort();
    else this.#child.stdin.end();
    const status = await this.#exit;
    await rm(this.cwd, { recursive: true, force: true });
    this.transcript.end();
    assert.deepEqual(this.transcript.faults, [], "lines that are not as the official schema wants them");
    assert.deepEqual(broken(this.transcript, this.capabilities), [], "laws broken");
    assert.equal(this.#stderr, "", "Turnwire wrote to its standard error");
    assert.deepEqual(status, { code: 0, signal: null }, "exit status");
  }

  #child;
  #hangUp; // aborts the stream, if connected over one
  #agent;
  #exit;
  #stderr = "";

  #start(program, args, env) {
    const child = spawn(program, args, { cwd: this.cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    this.#exit = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal }));
    });
    child.stderr.setEncoding("utf8").on("data", (text) => (this.#stderr += text));

    const { transcript } = this;
    const output = new WritableStream({
      write(bytes) {
        // A response may only be ready after the test has closed the connection.
        if (child.stdin.writableEnded) return undefined;
        transcript.feed("client", bytes);
        return new Promise((resolve, reject) => child.stdin.write(bytes, (err) => (err ? reject(err) : resolve())));
      },
    });
    const input = new ReadableStream({
      start(controller) {
        child.stdout.on("data", (bytes) => {
          transcript.feed("agent", bytes);
          controller.enqueue(new Uint8Array(bytes));
        });
        child.stdout.on("end", () => controller.close());
      },
    });
    this.#connect(acp.ndJsonStream(output, input));
  }

  // join connects over a stream of messages, and records them.
  #join(stream) {
    const { transcript } = this;
    const record = (from) =>
      new TransformStream({
        transform(message, controller) {
          transcript.feed(from, Buffer.from(JSON.stringify(message) + "\n"));
          controller.enqueue(message);
        },
      });
    this.#hangUp = new AbortController();
    const sent = record("client");
    const over = sent.readable.pipeTo(stream.writable, { signal: this.#hangUp.signal });
    this.#exit = over.then(() => assert.fail("the stream has ended by itself"), (err) => {
      if (err.name !== "AbortError") throw err;
      return { code: 0, signal: null };
    });
    this.#exit.catch(() => {}); // close reports it
    this.#connect({ readable: stream.readable.pipeThrough(record("agent")), writable: sent.writable });
  }

  #connect(stream) {
    // A client with unstable capabilities needs the unstable schema.
    const app = (this.capabilities.plan ? unstable : acp)
      .client({ name: "conformance" })
      .onRequest(methods.client.session.requestPermission, (call) => this.onPermission(call))
      .onRequest(methods.client.elicitation.create, (call) => this.onElicitation(call))
      .onRequest(methods.client.fs.readTextFile, async ({ params }) => ({
        content: this.buffers.get(params.path) ?? (await readFile(params.path, "utf8")),
      }))
      .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
        this.buffers.delete(params.path);
        await writeFile(params.path, params.content);
        return {};
      })
      .onRequest(methods.client.terminal.create, ({ params }) => this.terminals.create(params))
      .onRequest(methods.client.terminal.output, ({ params }) => this.terminals.output(params))
      .onRequest(methods.client.terminal.waitForExit, ({ params }) => this.terminals.wait(params))
      .onRequest(methods.client.terminal.kill, ({ params }) => this.terminals.kill(params))
      .onRequest(methods.client.terminal.release, ({ params }) => this.terminals.release(params))
      .onNotification(methods.client.session.update, () => {});
    this.#agent = app.connect(stream).agent;
  }
}

// A Turn is the wire traffic of one turn.
export class Turn {
  constructor({ stopReason }, entries) {
    this.stopReason = stopReason;
    this.entries = entries;
    this.updates = entries.flatMap((e) => e.message.params?.update ?? []);
  }

  all(kind) {
    return this.updates.filter((u) => u.sessionUpdate === kind);
  }

  text(kind = "agent_message_chunk") {
    return this.all(kind).map((u) => u.content.text ?? "").join("");
  }

  requests(method) {
    return this.entries.filter((e) => e.from === "agent" && e.kind === "request" && e.method === method).map((e) => e.message);
  }

  // tools returns the last state of each tool call, in the order of their
  // announcements.
  tools() {
    const calls = new Map();
    for (const u of this.updates) {
      if (!u.toolCallId) continue;
      calls.set(u.toolCallId, { ...calls.get(u.toolCallId), ...u });
    }
    return [...calls.values()];
  }
}

// contentText joins the text in a tool call's content.
export function contentText(call) {
  return (call.content ?? []).filter((c) => c.type === "content").map((c) => c.content.text ?? "").join("");
}
