// A conversation between the official client and an agent that uses everything in
// the official schema.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as acp from "@agentclientprotocol/sdk";

import { Schema } from "./sample.mjs";

export const agent = fileURLToPath(new URL("relay-agent.mjs", import.meta.url));

// intended lists the expected differences.
const intended = [
  {
    why: "the connection is with Turnwire, whose name is in the agent's",
    applies: (message) => message.result?.agentInfo?.name === "turnwire" || message.result?.agentCapabilities,
    same: (message) => {
      message.result.agentInfo = "either";
    },
  },
];

// converse makes the official client call every method of an agent, and returns
// what each side received. launch gets the agent's command, and returns the
// command that the client starts.
export async function converse(file, launch) {
  const folder = await mkdtemp(join(tmpdir(), "turnwire-relay-"));
  const heard = join(folder, "heard");
  const [program, ...args] = await launch([process.execPath, agent, file, heard]);
  const start = () => spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, XDG_CACHE_HOME: folder } });
  const schema = new Schema(file);
  // Turnwire answers for an agent that takes long to start, until it knows what the agent
  // offers. The response to another request shows that it does.
  const first = start();
  const greeted = connect(first, schema);
  await greet(greeted, schema);
  await request(greeted, "_example.org/list", []);
  first.stdin.end();
  await once(first, "close");
  await rm(heard, { force: true });
  const child = start();
  const exited = new Promise((resolve) => child.on("close", resolve));
  const lines = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop();
    lines.push(...parts);
  });
  const remote = connect(child, schema);
  await useAll(remote, schema);
  child.stdin.end();
  await exited;
  const agentLines = (await readFile(heard, "utf8")).trimEnd().split("\n");
  await rm(folder, { recursive: true });
  return normalized(lines, agentLines);
}

// connect makes a client that answers each method with one sample after another.
function connect(child, schema) {
  const app = acp.client({ name: "conformance" });
  for (const [method, { result }] of schema.requests("client")) {
    const samples = schema.samples(result);
    let next = 0;
    app.onRequest(method, (params) => params, ({ params }) => {
      if (params.options?.length === 0) return { outcome: { outcome: "cancelled" } }; // there are no options to choose from
      return samples[next++ % samples.length];
    });
  }
  app.onRequest("_example.org/asked", (params) => params, ({ params }) => ({ heard: params }));
  for (const [method] of schema.notifications("client")) app.onNotification(method, (params) => params, () => {});
  const output = new WritableStream({ write: (bytes) => new Promise((resolve) => child.stdin.write(bytes, () => resolve())) });
  const input = new ReadableStream({
    start(controller) {
      child.stdout.on("data", (text) => controller.enqueue(new TextEncoder().encode(text)));
      child.stdout.on("end", () => controller.close());
    },
  });
  return app.connect(acp.ndJsonStream(output, input)).agent;
}

const request = (remote, method, params) => remote.request(method, params, { parse: (r) => r }).catch((err) => err);

const greet = (remote, schema) => request(remote, "initialize", { ...schema.samples("InitializeRequest")[0], protocolVersion: 1 });

async function useAll(remote, schema) {
  const call = (method, params) => request(remote, method, params);
  await greet(remote, schema);
  for (let sample = 0; sample < schema.samples("NewSessionResponse").length; sample++) {
    await call("session/new", { cwd: "/", mcpServers: [], _meta: { sample } });
  }
  const prompt = (text, sample) => call("session/prompt", { sessionId: "session 1", prompt: [{ type: "text", text }], _meta: { sample } });
  await prompt("updates", 0);
  await prompt("asks", 0);
  const last = ["session/close", "session/delete", "logout"];
  const methods = schema.requests("agent").sort(([a], [b]) => last.indexOf(a) - last.indexOf(b));
  for (const [method, { params, result }] of methods) {
    if (method === "initialize") continue;
    const count = Math.max(schema.samples(params).length, schema.samples(result).length);
    const samples = schema.samples(params);
    for (let i = 0; i < count; i++) {
      const one = { ...samples[i % samples.length] };
      if ("sessionId" in one) one.sessionId = "session 1";
      if (method === "session/prompt") one.prompt = [{ type: "text", text: "nothing" }, ...one.prompt];
      await call(method, { ...one, _meta: { ...one._meta, sample: i } });
    }
    await call(method, { ...samples[0], _meta: { fail: true } });
  }
  for (const [method, { params }] of schema.notifications("agent")) {
    for (const sample of schema.samples(params)) await remote.notify(method, sample);
  }
  await call("_example.org/method", { any: ["thing", { at: "all" }] });
  await call("_example.org/list", [1, 2, 3]);
}

// normalized replaces request ids by numbers, in the order in which each side sees
// them, and removes the intended differences.
function normalized(client, toAgent) {
  const side = (lines) => {
    const ids = { asked: new Map(), answered: new Map() };
    return lines.map((line) => {
      const message = JSON.parse(line);
      const known = "method" in message ? ids.asked : ids.answered;
      const key = JSON.stringify(message.id);
      if ("id" in message) {
        if (!known.has(key)) known.set(key, known.size);
        message.id = known.get(key);
      }
      if (message.params?.requestId !== undefined && message.method === "elicitation/create") message.params.requestId = "the prompt";
      for (const { applies, same } of intended) if (applies(message)) same(message);
      return message;
    });
  };
  return { client: side(client), agent: side(toAgent) };
}
