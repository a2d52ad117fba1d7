/** Every state of the chat, a few per sheet. */
import { makeDiff } from "../../src/chat/diff.js";
import type { ToView } from "../../src/shared/messages.js";
import type { Item, ToolStatus } from "../../src/shared/model.js";
import { png } from "./png.js";
import { answer, asking, began, chat, tool, wanted } from "./chats.js";

const folder = "/home/ada/src/project";
const folders = { folders: [folder] };

export const before = `package store

// Find returns the value of a key.
func (s *Store) Find(key string) (Value, error) {
	return s.values[key], nil
}

// Put stores a value under a key, and forgets the one before it.
func (s *Store) Put(key string, value Value) {
	s.values[key] = value
}
`;

export const changed = makeDiff(
  `${folder}/internal/store/store.go`,
  before,
  before
    .replace("\treturn s.values[key], nil", "\tvalue, ok := s.values[key]\n\tif !ok {\n\t\treturn Value{}, errMissing\n\t}\n\treturn value, nil")
    .replace("under a key, and forgets", "under its key, and forgets"),
  "internal/store/store.go",
);

const deep = `${folder}/internal/very/deep/down/in/many/folders/below/each/other/configuration.go`;

export const traceback = `Traceback (most recent call last):
  File "/home/ada/src/project/agent.py", line 42, in <module>
    main()
  File "/home/ada/src/project/agent.py", line 17, in main
    raise ValueError("no model")
ValueError: no model`;

export const table = `Wide tables scroll by themselves:

| call | before the change | after the change | what reads it | where it is tested | seen by |
|:-----|:-----------------:|-----------------:|---------------|--------------------|---------|
| \`Find("a")\` | zero value | error | cache, index, server | internal/store/store_test.go | everybody |
| \`Find("b")\` | value | value | cache | internal/cache/cache_test.go | nobody |

What is left:

- [x] Return an error for keys that are missing
- [ ] Run the tests
  - [ ] with the race detector
- a point that is no task
`;

const words: Record<ToolStatus, string> = {
  pending: "Wait for the others",
  in_progress: "Run the tests",
  completed: "Run the linter",
  failed: "Fetch the notes on maps",
  rejected: "Delete internal/store/old.go",
  cancelled: "Run the benchmarks",
  interrupted: "Push the branch",
};

const cards: Item[] = [
  ...Object.entries(words).map(([status, title]) =>
    tool({
      id: `s ${status}`,
      title,
      kind: status === "rejected" ? "delete" : "execute",
      status: status as ToolStatus,
      ...(status === "in_progress" ? { started: Date.now() - 4000 } : {}),
      ...(status === "rejected" ? { decision: "Rejected" } : {}),
      ...(status === "failed" ? { content: [{ type: "text" as const, text: "no route to host", markdown: false }] } : {}),
    }),
  ),
  tool({ id: "deep", title: `Write ${deep}`, kind: "edit", decision: "Allowed", locations: [{ path: deep }] }),
];

const reads: Item[] = [
  tool({ id: "r1", title: `Read ${folder}/go.mod`, kind: "read", locations: [{ path: `${folder}/go.mod` }] }),
  tool({ id: "r2", title: `Read ${deep}`, kind: "read", locations: [{ path: deep, line: 12 }] }),
  tool({ id: "r3", title: "Search for “Find(”", kind: "search" }),
];

const outputs: Item[] = [
  tool({ id: "d1", title: "Edit store.go", kind: "edit", decision: "Allowed", locations: [{ path: changed.path, line: 4 }], input: JSON.stringify({ path: changed.path }), content: [changed] }),
  tool({
    id: "d2", title: "go test ./...", kind: "execute", status: "failed",
    input: JSON.stringify({ command: "go test ./...", cwd: `${folder}/internal` }),
    content: [
      { type: "terminal", terminalId: "x", exitCode: 1, text: "\u001b[32mok\u001b[0m  \tstore\t0.4s\n\u001b[1;31mFAIL\u001b[0m\tcache\t1.2s\n" },
      { type: "text", text: "```\nok  \tstore\t0.4s\nFAIL\tcache\t1.2s\n```", markdown: true },
    ],
  }),
  tool({ id: "d3", title: "Run agent.py", kind: "other", status: "failed", content: [{ type: "text", text: traceback, markdown: false }] }),
  tool({ id: "a1", title: "Look through the callers", kind: "think", ended: began + 8400 }),
  tool({ id: "a2", parent: "a1", title: "Read internal/cache.go", kind: "read", ended: began + 300 }),
  tool({ id: "a3", parent: "a1", title: "Read internal/index.go", kind: "read", ended: began + 300 }),
  tool({ id: "a4", parent: "a1", title: "Fetch the notes on maps", kind: "fetch", status: "failed" }),
];

const asks: Item[] = [
  ...asking.slice(1),
  tool({
    id: "ask bare", title: "go test ./...", kind: "execute", status: "pending", input: JSON.stringify({ command: "go test ./..." }),
    permission: { requestId: "b", options: [
      { id: "1", name: "Allow", kind: "allow_once" }, { id: "2", name: "Always allow", kind: "allow_always" }, { id: "3", name: "Reject", kind: "reject_once" },
    ] },
  }),
  tool({
    id: "ask edit", title: "Edit store.go", kind: "edit", status: "pending", content: [changed], locations: [{ path: changed.path }],
    input: JSON.stringify({ path: changed.path, old_string: "return s.values[key], nil", replace_all: false }),
    permission: { requestId: "e", reason: "It changes a file.", options: [
      { id: "1", name: "Allow", kind: "allow_once" }, { id: "2", name: "Always allow `edit_file` in this chat", kind: "allow_always" }, { id: "3", name: "Reject", kind: "reject_once" },
    ] },
  }),
  {
    type: "question", id: "q1", message: "Which of them?", fields: [
      { name: "a", label: "Colour", required: true, input: { kind: "choice", choices: [{ value: "r", label: "Red" }, { value: "g", label: "Green" }] } },
      { name: "b", label: "Name", description: "As it stands in the file.", required: false, input: { kind: "text", multiline: false } },
    ],
  },
  wanted,
];

const spoken: Item[] = [
  { type: "user", id: "u", text: "Why does Find return an empty value?", attachments: [
    { kind: "file", label: "internal/very/deep/down/in/many/folders/below/each/other/configuration.go", uri: "file:///x" },
    { kind: "image", label: "screenshot.png", uri: "", data: `data:image/png;base64,${png(320, 200).toString("base64")}` },
  ] },
  { type: "thought", id: "t", text: "The map is read without looking whether the key is there.", started: began, ended: began + 2900 },
  { type: "plan", id: "p", entries: [
    { content: "Read the store", priority: "medium", status: "completed" },
    { content: "Return an error for keys that are missing", priority: "high", status: "in_progress" },
    { content: "Run the tests", priority: "low", status: "pending" },
  ] },
  ...reads,
  { type: "message", id: "m", text: answer, blocks: [] },
  { type: "message", id: "m2", text: table, blocks: [] },
];

const streaming: Item[] = [
  { type: "user", id: "u", text: "Go on.", attachments: [] },
  { type: "thought", id: "t", text: "Now the tests.", started: began, ended: began + 900 },
  { type: "message", id: "m", text: "I run the **tests** now, and then I", blocks: [] },
];

const failures: Item[] = [
  { type: "notice", id: "n1", severity: "error", title: "The agent has ended with exit code 1.", description: traceback, retry: true },
  { type: "notice", id: "n2", severity: "error", title: "The agent stopped (exit status 3).", description: "out of memory", retry: true },
  { type: "notice", id: "n3", severity: "warning", title: "The context is nearly full." },
  { type: "notice", id: "n4", severity: "info", title: "The agent knows nothing of what was said before." },
];

/** The message for each sheet. */
export const sheets: Record<string, ToView> = {
  empty: chat([], folders),
  streaming: chat(streaming, { ...folders, status: "running" }),
  spoken: chat(spoken, folders),
  opened: chat(spoken.slice(1, -2), folders),
  cards: chat(cards, { ...folders, status: "running" }),
  outputs: chat(outputs, folders),
  asks: chat(asks, { ...folders, status: "running" }),
  failures: chat(failures, folders),
};
