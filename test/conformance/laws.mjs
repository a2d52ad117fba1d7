// Laws that hold for every conversation. Each law checks the whole transcript and
// lists its violations.

const laws = { sessionFirst, toolCalls, permissions, turns, capabilities, messageIds, options, terminals };

// broken lists all violations of all laws.
export function broken(transcript, offered) {
  return Object.entries(laws).flatMap(([name, law]) => law(transcript.entries, offered).map((what) => `${name}: ${what}`));
}

function updates(entries) {
  return entries.filter((e) => e.method === "session/update").map((e) => e.message.params);
}

// A session appears only after the response that named it, or while it is being
// loaded; a sub-agent's session appears only after its announcement.
function sessionFirst(entries) {
  const known = new Set();
  const found = [];
  for (const { from, kind, method, message } of entries) {
    if (kind === "request" && (method === "session/load" || method === "session/resume")) known.add(message.params.sessionId);
    if (kind === "response" && method === "session/new" && message.result) known.add(message.result.sessionId);
    const id = from === "agent" && message.params?.sessionId;
    const update = message.params?.update;
    if (id && known.has(id) && update?.sessionUpdate === "subagent_update") known.add(update.sessionId);
    if (id && !known.has(id)) found.push(`${method} for ${id} before the answer to session/new`);
  }
  return found;
}

// A tool call is first announced, once, and ends before its turn does. Loading a
// session announces its calls again.
function toolCalls(entries) {
  const calls = new Map();
  const found = [];
  for (const { from, kind, method, message } of entries) {
    if (kind === "request" && method === "session/load") calls.clear();
    if (from !== "agent") continue;
    const update = message.params?.update;
    if (update?.sessionUpdate === "tool_call") {
      if (calls.has(update.toolCallId)) found.push(`${update.toolCallId} is announced twice`);
      calls.set(update.toolCallId, update.status);
    }
    if (update?.sessionUpdate === "tool_call_update") {
      if (!calls.has(update.toolCallId)) found.push(`${update.toolCallId} is updated but was never announced`);
      if (update.status) calls.set(update.toolCallId, update.status);
    }
    if (kind === "response" && (method === "session/prompt" || method === "session/load")) {
      for (const [id, status] of calls) {
        if (status !== "completed" && status !== "failed") found.push(`${id} is left ${status} at the end of the turn`);
      }
    }
  }
  return found;
}

// A permission request repeats the state of a previously announced call, with the
// diff first, and offers each kind of option once. A call that asks the user a
// question has it as its title.
function permissions(entries) {
  const state = new Map();
  const found = [];
  for (const { kind, method, message } of entries) {
    const update = message.params?.update;
    if (update?.toolCallId) state.set(update.toolCallId, { ...state.get(update.toolCallId), ...update });
    if (kind !== "request" || method !== "session/request_permission") continue;
    const { toolCall, options } = message.params;
    const announced = state.get(toolCall.toolCallId);
    if (!announced) {
      found.push(`${toolCall.toolCallId} is asked about before it is announced`);
      continue;
    }
    const asks = options.length > 0 && options.every((o) => /^choice-\d+$/.test(o.optionId));
    for (const member of asks ? ["kind", "rawInput", "locations"] : ["title", "kind", "rawInput", "locations"]) {
      if (JSON.stringify(toolCall[member]) !== JSON.stringify(announced[member])) {
        found.push(`${toolCall.toolCallId} is asked about with another ${member} than announced`);
      }
    }
    if (toolCall.kind === "edit" && toolCall.content?.[0]?.type !== "diff") {
      found.push(`${toolCall.toolCallId} is an edit, but the diff is not its first content`);
    }
    const ids = options.map((o) => o.optionId);
    if (new Set(ids).size !== ids.length) found.push(`two options with the same optionId: ${ids}`);
  }
  return found;
}

// Updates that belong to no particular turn, and may come at any time.
const anytime = new Set([
  "available_commands_update", "current_mode_update", "config_option_update", "session_info_update", "usage_update",
]);

// A session's updates and requests come only during its turns or while it is
// being loaded, except for those in anytime.
function turns(entries) {
  const running = new Map();
  const parents = new Map(); // the parents of sub-agents' sessions, which run while their parents do
  const found = [];
  for (const { from, kind, method, message } of entries) {
    if (from === "client" && kind === "request" && (method === "session/prompt" || method === "session/load")) {
      running.set(JSON.stringify(message.id), message.params.sessionId);
    }
    if (from !== "agent") continue;
    if (kind === "response" && (method === "session/prompt" || method === "session/load")) running.delete(JSON.stringify(message.id));
    let id = message.params?.sessionId;
    const update = message.params?.update;
    if (update?.sessionUpdate === "subagent_update" && update.sessionId !== id) parents.set(update.sessionId, id);
    while (parents.has(id)) id = parents.get(id);
    if (!id || [...running.values()].includes(id)) continue;
    const what = message.params.update?.sessionUpdate ?? method;
    if (!anytime.has(what)) found.push(`${what} outside of a turn`);
  }
  return found;
}

// Only capabilities that the client offered are used.
function capabilities(entries, offered) {
  const needs = {
    "fs/read_text_file": offered.fs?.readTextFile,
    "fs/write_text_file": offered.fs?.writeTextFile,
    "elicitation/create": offered.elicitation?.form,
    "_turnwire/event": offered._meta?.["turnwire.dev/events"],
    notice: offered.session?.notices,
    compaction_update: offered.session?.compaction,
    plan_update: offered.plan,
    plan_removed: offered.plan,
    subagent_update: offered.subagents,
    session_message: offered.subagents,
  };
  const found = [];
  for (const { from, method, message } of entries) {
    if (from !== "agent") continue;
    const what = message.params?.update?.sessionUpdate ?? method;
    const isTerminal = what?.startsWith("terminal/");
    if (isTerminal ? !offered.terminal : what in needs && !needs[what]) found.push(`${what} was not offered`);
  }
  return found;
}

// A terminal in a tool call was created before, and each created terminal is
// released once.
function terminals(entries) {
  const made = new Map();
  const found = [];
  for (const { kind, method, message } of entries) {
    const { params, result } = message;
    if (kind === "response" && method === "terminal/create" && result) made.set(result.terminalId, 0);
    if (kind === "request" && method === "terminal/release") {
      if (made.get(params.terminalId) !== 0) found.push(`${params.terminalId} is released, and is not there`);
      made.set(params.terminalId, 1);
    }
    const info = params?.update?._meta?.terminal_info;
    if (info) made.set(info.terminal_id, 1);
    for (const item of [params?.update?.content ?? []].flat()) {
      if (item.type === "terminal" && !made.has(item.terminalId)) found.push(`${item.terminalId} is shown, and was never made`);
    }
  }
  for (const [id, released] of made) if (!released) found.push(`${id} is never released`);
  return found;
}

// Options have unique ids. Their values are among the choices, which have unique
// ids too. A mode is reported in both ways, with the same meaning.
function options(entries, offered) {
  const found = [];
  let mode;
  for (const { from, kind, message } of entries) {
    const update = message.params?.update;
    if (from === "agent" && update?.sessionUpdate === "current_mode_update") mode = update.currentModeId;
    const state = kind === "response" ? message.result : update;
    if (from !== "agent" || !state?.configOptions) continue;
    if (state.modes) mode = state.modes.currentModeId;
    const ids = state.configOptions.map((o) => o.id);
    if (new Set(ids).size !== ids.length) found.push(`two options with the same id: ${ids}`);
    for (const o of state.configOptions) {
      if (o.type === "boolean") {
        if (!offered.session?.configOptions?.boolean) found.push(`${o.id} is a boolean, which was not offered`);
        continue;
      }
      const values = o.options.flatMap((c) => (c.group === undefined ? c : c.options)).map((c) => c.value);
      if (new Set(values).size !== values.length) found.push(`two choices of ${o.id} with the same value: ${values}`);
      if (!values.includes(o.currentValue)) found.push(`${o.id} is set to ${o.currentValue}, which is none of ${values}`);
    }
    const asOption = state.configOptions.find((o) => o.category === "mode" && o.type === "select")?.currentValue;
    if (asOption !== undefined && asOption !== mode) found.push(`the mode is ${mode}, but as an option ${asOption}`);
  }
  return found;
}

// Every piece of a message has its message id.
function messageIds(entries) {
  return updates(entries)
    .filter(({ update }) => update.sessionUpdate.endsWith("_chunk") && !update.messageId)
    .map(({ update }) => `${update.sessionUpdate} without a messageId`);
}
