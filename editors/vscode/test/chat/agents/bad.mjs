// A stand-in for a misbehaving agent. Its argument chooses the misbehaviour.

import { spawn } from "node:child_process";
import { listen, say, send, update } from "./line.mjs";

const [how] = process.argv.slice(2);
const done = (id, stopReason = "end_turn") => send({ id, result: { stopReason } });
const call = (fields) => update({ sessionUpdate: "tool_call", toolCallId: "call", title: "Do it", kind: "execute", ...fields });
const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
const ask = (id, fields = {}) =>
  send({ id, method: "session/request_permission", params: { sessionId: "s", toolCall: { toolCallId: "call" }, options, ...fields } });

const ways = {
  dies() {
    listen({
      "session/prompt": () => {
        say("I was about to");
        process.stderr.write("out of memory\n", () => process.exit(3));
      },
    });
  },
  "dies at once"() {
    process.stderr.write("no such model\n", () => process.exit(1));
  },
  "leaves a child"() {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: ["ignore", "inherit", "inherit"] });
    listen({
      "session/prompt": () => {
        say(`child ${child.pid}`);
        setTimeout(() => process.exit(0), 50);
      },
    });
  },
  hangs() {
    listen({ "session/prompt": () => say("Working…") });
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1000); // not even EOF on stdin ends it
  },
  garbage() {
    listen({
      "session/prompt": ({ id }) => {
        process.stdout.write('Loading…\n{"jsonrpc":"2.0",\n[]\n42\nnull\n"x"\n\n{"a":1}\n');
        process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a]));
        send({ method: "session/update", params: { sessionId: "s" } });
        send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "tool_call" } } });
        update({ sessionUpdate: "_something/new", x: 1 });
        update({ sessionUpdate: "tool_call_update", toolCallId: "never announced", status: "completed" });
        send({ method: "session/update", params: { sessionId: "other", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "not yours" } } } });
        send({ method: "_turnwire/event", params: null });
        send({ method: "_turnwire/event", params: { sessionId: "s", event: 7 } });
        send({ id: 4711, result: {} });
        say("Still here.");
        done(id);
        done(id, "refusal");
        send({ id, error: { code: -1, message: "again" } });
      },
    });
  },
  huge() {
    listen({
      "session/prompt": ({ id }) => {
        const text = "0123456789abcdef\n".repeat((5 << 20) / 17);
        call({ status: "in_progress", rawInput: { text } });
        update({ sessionUpdate: "tool_call_update", toolCallId: "call", status: "completed", content: [{ type: "content", content: { type: "text", text } }] });
        update({ sessionUpdate: "tool_call", toolCallId: "diff", title: "Diff", kind: "edit", content: [{ type: "diff", path: "/x", oldText: text, newText: text.toUpperCase() }] });
        for (let i = 0; i < 20_000; i++) say(`${i} `);
        done(id);
      },
    });
  },
  "streams a terminal"() {
    listen({
      "session/prompt": ({ id }) => {
        call({ status: "in_progress", content: [{ type: "terminal", terminalId: "t" }] });
        const line = `${"x".repeat(99)}\n`;
        for (let i = 0; i < 50_000; i++) {
          update({ sessionUpdate: "tool_call_update", toolCallId: "call", _meta: { terminal_output: { terminal_id: "t", data: i === 49_999 ? "the end\n" : line } } });
        }
        update({ sessionUpdate: "tool_call_update", toolCallId: "call", status: "completed", _meta: { terminal_exit: { terminal_id: "t", exit_code: 3, signal: null } } });
        done(id);
      },
    });
  },
  "asks after a cancel"() {
    let prompt;
    listen({
      "session/prompt": ({ id }) => {
        prompt = id;
        call({ status: "pending" });
        say("Waiting.");
      },
      "session/cancel": () => ask("late"),
      answer: ({ id, result }) => {
        say(`${id}: ${JSON.stringify(result.outcome)}`);
        done(prompt, "cancelled");
      },
    });
  },
  "goes on after its turn"() {
    listen({
      "session/prompt": ({ id }) => {
        call({ status: "in_progress" });
        update({ sessionUpdate: "plan", entries: [{ content: "One", status: "in_progress", priority: "high" }] });
        done(id);
        update({ sessionUpdate: "tool_call_update", toolCallId: "call", status: "in_progress", title: "Still" });
        update({ sessionUpdate: "tool_call", toolCallId: "late", title: "Late", status: "in_progress", _meta: { "turnwire.dev/percent": 50 } });
        update({ sessionUpdate: "tool_call", toolCallId: "later", title: "Later", status: "pending" });
        update({ sessionUpdate: "plan", entries: [{ content: "Two", status: "in_progress", priority: "high" }] });
        update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } });
        update({ sessionUpdate: "tool_call_update", toolCallId: "later", status: "completed" });
        say("That was all.");
      },
    });
  },
  "asks and fails"() {
    let prompt;
    listen({
      "session/prompt": ({ id }) => {
        prompt = id;
        call({ status: "pending" });
        ask("a");
      },
      answer: () => send({ id: prompt, error: { code: -32603, message: "Internal error" } }),
    });
  },
  "asks and takes it back"() {
    let prompt;
    listen({
      "session/prompt": ({ id }) => {
        prompt = id;
        call({ status: "pending" });
        ask("a");
        send({ method: "$/cancel_request", params: { requestId: "a" } });
      },
      answer: ({ id, result, error }) => {
        say(`${id}: ${JSON.stringify(result?.outcome ?? error.code)}`);
        done(prompt);
      },
    });
  },
  "asks outside of a turn"() {
    listen({
      "session/prompt": ({ id }) => {
        call({ status: "pending" });
        done(id);
        ask("outside");
      },
      answer: ({ id, result }) => say(`${id}: ${JSON.stringify(result.outcome)}`),
    });
  },
  "asks twice about one call"() {
    let prompt;
    const answers = [];
    listen({
      "session/prompt": ({ id }) => {
        prompt = id;
        call({ status: "pending" });
        ask("first");
        ask("second");
      },
      answer: ({ id, result }) => {
        answers.push(`${id}=${result.outcome.optionId ?? result.outcome.outcome}`);
        if (answers.length < 2) return;
        say(answers.join(" "));
        done(prompt);
      },
    });
  },
  "changes what it asks"() {
    let prompt;
    const answers = [];
    const change = (newText) => ({ toolCall: { toolCallId: "call", content: [{ type: "diff", path: "/x", oldText: "", newText }] } });
    listen({
      "session/prompt": ({ id }) => {
        prompt = id;
        call({ status: "pending", kind: "edit" });
        ask("one", change("harmless"));
      },
      answer: ({ id, result }) => {
        answers.push(`${id}=${result.outcome.optionId ?? result.outcome.outcome}`);
        if (id === "one") return ask("two", change("harmful"));
        say(answers.join(" "));
        done(prompt);
      },
    });
  },
  "calls things what they are not"() {
    let prompt;
    const named = [["Reject", "allow_always"], ["No", "allow_once"], ["Allow", "allow_always"], ["", "allow_once"], ["Always allow", "allow_always"], ["Allow all edits", "allow_always"], ["Not now", "reject_once"]];
    listen({
      "session/prompt": ({ id }) => {
        prompt = id;
        call({ status: "pending" });
        ask("one", { options: named.map(([name, kind], i) => ({ optionId: String(i), name, kind })) });
      },
      answer: () => done(prompt),
    });
  },
  "begins a terminal and no session"() {
    let session;
    listen({
      "session/new": ({ id }) => {
        session = id;
        send({ id: "t", method: "terminal/create", params: { sessionId: "s", command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] } });
      },
      answer: () => send({ id: session, error: { code: -32603, message: "Internal error" } }),
    });
  },
  "asks with nothing to choose"() {
    let prompt;
    listen({
      "session/prompt": ({ id }) => {
        prompt = id;
        call({ status: "pending" });
        ask("none", { options: [] });
      },
      answer: ({ result }) => {
        say(JSON.stringify(result.outcome));
        done(prompt);
      },
    });
  },
  "never says what it can do"() {
    process.stdin.resume();
  },
  "speaks another version"() {
    listen({}, { protocolVersion: 9 });
  },
  "fails"() {
    listen({ "session/prompt": ({ id }) => send({ id, error: { code: -32603, message: "Internal error", data: { details: "The model is overloaded." } } }) });
  },
};

ways[how]();
