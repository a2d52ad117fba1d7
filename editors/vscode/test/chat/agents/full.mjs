// A stand-in for an agent with every capability of the protocol: it stores
// sessions, has modes and options, and uses the editor's files and terminals.

import { listen, say, send, update } from "./line.mjs";

const [what, ...args] = process.argv.slice(2);
const done = (id) => send({ id, result: { stopReason: "end_turn" } });
let next = 0;
const waiting = new Map();
const request = (method, params) =>
  new Promise((resolve) => {
    const id = `r${++next}`;
    waiting.set(id, resolve);
    send({ id, method, params: { sessionId: "s", ...params } });
  });
const answer = ({ id, result, error }) => {
  waiting.get(id)?.(error ? { error } : result);
  waiting.delete(id);
};
const texts = (prompt) => prompt.map((b) => (b.type === "text" ? b.text : JSON.stringify(b))).join("|");

const kinds = {
  /**
   * Sends the requests in its prompt, as JSON: one method and its params per line.
   */
  asks() {
    listen({
      answer,
      "session/prompt": async ({ id, params }) => {
        for (const line of params.prompt[0].text.split("\n")) {
          const [method, p] = JSON.parse(line);
          const result = await request(method, p);
          say(`${JSON.stringify(result)}\n`);
          if (result?.terminalId) {
            update({ sessionUpdate: "tool_call", toolCallId: "t", title: "Run", kind: "execute", content: [{ type: "terminal", terminalId: result.terminalId }] });
            say(`${JSON.stringify(await request("terminal/wait_for_exit", { terminalId: result.terminalId }))}\n`);
            say(`${JSON.stringify(await request("terminal/output", { terminalId: result.terminalId }))}\n`);
            await request("terminal/release", { terminalId: result.terminalId });
            say(`${JSON.stringify(await request("terminal/output", { terminalId: result.terminalId }))}\n`);
          }
        }
        done(id);
      },
    });
  },
  /** Says what it received. */
  echo() {
    const promptCapabilities = { image: true, embeddedContext: !args.includes("links") };
    const agentInfo = args.includes("named") ? { agentInfo: { name: "echo", version: "1", title: `Echo\n${"o".repeat(1000)}` } } : {};
    listen({ "session/prompt": ({ id, params }) => (say(texts(params.prompt)), done(id)) }, { agentCapabilities: { promptCapabilities }, ...agentInfo });
  },
  /** Reads messages during its turns. "cook" starts a turn that waits for one. */
  steers() {
    let turn;
    let late = [];
    const end = (stopReason, rest) => {
      send({ id: turn, result: { stopReason } });
      for (const id of late) send({ id, ...rest });
      late = [];
    };
    const ended = () => end("end_turn", { result: { outcome: "promptRequired", reason: "noRunningTurn" } });
    listen({
      "session/prompt": ({ id, params }) => {
        turn = id;
        say(texts(params.prompt));
        if (texts(params.prompt) !== "cook") ended();
      },
      "session/cancel": () => end("cancelled", { error: { code: -32800, message: "cancelled" } }),
      "_session/steering": ({ id, params }) => {
        const text = texts(params.prompt);
        if (text === "late") return late.push(id);
        if (text === "refused") return send({ id, error: { code: -32602, message: "Invalid params", data: { details: "only text" } } });
        send({ id, result: { outcome: text === "failed" ? text : "injected" } });
        say(`after ${text}`);
        if (text === "end") ended();
      },
    }, { _meta: { steering: { supported: true } } });
  },
  options() {
    const option = (current) => [
      { type: "select", id: "model", name: "Model", category: "model", currentValue: current, options: [{ group: "g", name: "Small ones", options: [{ value: "a", name: "A" }, { value: "b", name: "B" }] }] },
      { type: "boolean", id: "web", name: "Web", currentValue: false },
      { type: "select", id: "none", name: "Nothing to choose", currentValue: "", options: [] },
    ];
    listen({
      "session/new": ({ id }) => send({ id, result: { sessionId: "s", configOptions: option("a"), modes: { currentModeId: "x", availableModes: [{ id: "x", name: "X" }] } } }),
      "session/set_config_option": ({ id, params }) =>
        params.value === "b" ? send({ id, result: { configOptions: option("b") } }) : send({ id, error: { code: -32602, message: "Invalid params", data: { details: "the web is closed" } } }),
    });
  },
  modes() {
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }, { id: "code", name: "Code" }] };
    listen({
      "session/new": ({ id }) => send({ id, result: { sessionId: "s", modes } }),
      "session/set_mode": ({ id }) => send({ id, result: {} }),
      "session/prompt": ({ id }) => (update({ sessionUpdate: "current_mode_update", currentModeId: "ask" }), done(id)),
    });
  },
  /** Stores sessions: replays, lists, renames and deletes them. */
  sessions() {
    const kept = new Map([["old", "Old one"]]);
    listen(
      {
        "session/load": ({ id, params }) => {
          if (!kept.has(params.sessionId)) return send({ id, error: { code: -32002, message: "Resource not found" } });
          const to = (u) => send({ method: "session/update", params: { sessionId: params.sessionId, update: u } });
          to({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "What was it?" } });
          to({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "It was this." } });
          send({ id, result: {} });
        },
        "session/list": ({ id, params }) => {
          const page = params.cursor ? { sessions: [{ sessionId: "older", cwd: params.cwd, title: "Older" }] } : { sessions: [...kept].map(([sessionId, title]) => ({ sessionId, cwd: params.cwd, title, updatedAt: "2026-01-01T00:00:00Z" })), nextCursor: "2" };
          send({ id, result: page });
        },
        "session/set_title": ({ id, params }) => (kept.set(params.sessionId, params.title), send({ id, result: {} })),
        "session/delete": ({ id, params }) => (kept.delete(params.sessionId), send({ id, result: {} })),
        "session/prompt": ({ id, params }) => {
          send({ method: "session/update", params: { sessionId: params.sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: `in ${params.sessionId}` } } } });
          done(id);
        },
      },
      { agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, delete: {}, title: {} } } },
    );
  },
  /** Lists twelve pages with one session each. */
  many() {
    listen(
      {
        "session/list": ({ id, params }) => {
          const n = Number(params.cursor ?? 0);
          send({ id, result: { sessions: [{ sessionId: `s${n}`, cwd: params.cwd, title: `Chat ${n}` }], ...(n < 11 ? { nextCursor: String(n + 1) } : {}) } });
        },
      },
      { agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } } },
    );
  },
  /** Resumes sessions, but can't replay them. */
  resumes() {
    listen(
      { "session/resume": ({ id }) => send({ id, result: {} }), "session/prompt": ({ id, params }) => (say(`in ${params.sessionId}`), done(id)) },
      { agentCapabilities: { sessionCapabilities: { resume: {} } } },
    );
  },
  /** Turnwire's messages outside the protocol. */
  events() {
    const event = (event) => send({ method: "_turnwire/event", params: { sessionId: "s", event } });
    listen({
      "session/prompt": ({ id }) => {
        event({ type: "step_start", stepId: "1" });
        event({ type: "usage", inputTokens: 100, outputTokens: 20, estimatedCostUsd: 0.25, cacheReadTokens: 30 });
        event({ type: "usage", inputTokens: 200, outputTokens: 1, estimatedCostUsd: "much" });
        event({ type: "from a newer Turnwire", x: 1 });
        update({ sessionUpdate: "tool_call", toolCallId: "outer", title: "Research", kind: "think", status: "in_progress" });
        update({ sessionUpdate: "tool_call", toolCallId: "inner", title: "Read", kind: "read", status: "completed", _meta: { "turnwire.dev/parentToolCallId": "outer", "turnwire.dev/durationMs": 1234 } });
        update({ sessionUpdate: "tool_call_update", toolCallId: "outer", _meta: { "turnwire.dev/percent": 40 } });
        update({ sessionUpdate: "tool_call_update", toolCallId: "outer", status: "failed", _meta: { "turnwire.dev/cancelled": true } });
        update({ sessionUpdate: "tool_call_update", toolCallId: "outer", status: "in_progress" });
        update({ sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" });
        update({ sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: { type: "text", text: "Short." } });
        update({ sessionUpdate: "compaction_update", compactionId: "c", status: "completed" });
        done(id);
      },
    });
  },
};

kinds[what]();
