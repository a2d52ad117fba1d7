/** Sample chats. */
import type { ToView } from "../../src/shared/messages.js";
import type { Chat, DiffContent, Item, Login, Session, ToolCall } from "../../src/shared/model.js";

export const began = Date.UTC(2026, 0, 5, 10, 0, 0);

export function session(part: Partial<Session> = {}): Session {
  return {
    chatId: "chat-1",
    title: "Read the notes and add to them",
    agent: "Workspace",
    agents: ["Workspace", "Ethos", "Glue"],
    status: "idle",
    options: [
      {
        id: "mode",
        name: "Mode",
        category: "mode",
        current: "ask",
        choices: [
          { value: "ask", name: "Ask", description: "Ask before every change" },
          { value: "write", name: "Write", description: "Change files without asking" },
          { value: "plan", name: "Plan only", description: "Change nothing" },
        ],
      },
      {
        id: "model",
        name: "Model",
        category: "model",
        current: "large",
        choices: [
          { value: "large", name: "Large", description: "Thinks longer", group: "Current" },
          { value: "small", name: "Small", description: "Answers at once", group: "Current" },
          { value: "old", name: "Last year's", group: "Older" },
        ],
      },
      { id: "thinks", name: "Think", current: true, choices: [] },
    ],
    commands: [
      { name: "read", description: "Read a file", hint: "PATH" },
      { name: "run", description: "Run a shell command, after asking", hint: "COMMAND" },
      { name: "search", description: "Search files for a regular expression", hint: "PATTERN" },
      { name: "say", description: "Answer with TEXT", hint: "TEXT" },
    ],
    usage: { used: 48_213, size: 200_000, cost: { amount: 0.1834, currency: "USD" } },
    accepts: { image: true, embedded: true },
    ...part,
  };
}

/** A tool call that is finished, unless `part` says otherwise. */
export function tool(part: Partial<ToolCall> & { id: string }): ToolCall {
  const ended = part.status === "pending" || part.status === "in_progress" ? {} : { ended: began + 1240 };
  return {
    type: "tool",
    title: "Do something",
    kind: "other",
    status: "completed",
    started: began,
    ...ended,
    locations: [],
    input: "",
    content: [],
    ...part,
  };
}

export function diff(path: string): DiffContent {
  return {
    type: "diff",
    path,
    oldText: "",
    newText: "",
    added: 3,
    removed: 1,
    lines: [
      { kind: "gap", text: "" },
      { kind: "same", text: "func (s *Store) Find(key string) (Value, error) {" },
      { kind: "removed", text: "\treturn s.values[key], nil" },
      { kind: "added", text: "\tvalue, ok := s.values[key]" },
      { kind: "added", text: "\tif !ok {" },
      { kind: "added", text: "\t\treturn Value{}, fmt.Errorf(\"%q is not in the store: add it with Put\", key)" },
      { kind: "same", text: "\t}" },
      { kind: "gap", text: "" },
    ],
  };
}

export const answer = `## What I found

The store returned a zero \`Value\` for keys that it does **not** hold. Two things follow:

1. Callers in [\`cache.go\`](internal/cache.go:42) take the zero value for a hit.
2. The test in *store_test.go* passes for the wrong reason.

\`\`\`go
// Find returns the value of a key.
func (s *Store) Find(key string) (Value, error) {
	value, ok := s.values[key]
	if !ok {
		return Value{}, fmt.Errorf("%q is not in the store", key)
	}
	return value, nil
}
\`\`\`

| call | before | after |
|:-----|:------:|------:|
| \`Find("a")\` | zero | error |
| \`Find("b")\` | value | value |

> Nothing else reads the map. See [the language's notes](https://go.dev/doc/effective_go#maps).
`;

/** A turn with a bit of everything. */
export function everything(): Item[] {
  return [
    {
      type: "user",
      id: "u1",
      text: "Why does Find return an empty value?\nFix it, and run the tests.",
      attachments: [
        { kind: "file", label: "internal/store.go", uri: "file:///project/internal/store.go" },
        { kind: "selection", label: "store.go:12-18", uri: "file:///project/internal/store.go#L12-18" },
      ],
    },
    { type: "thought", id: "t1", text: "The map is read without looking whether the key is there.", started: began, ended: began + 2900 },
    {
      type: "plan",
      id: "p1",
      entries: [
        { content: "Read the store", priority: "medium", status: "completed" },
        { content: "Return an error for keys that are missing", priority: "high", status: "in_progress" },
        { content: "Run the tests", priority: "low", status: "pending" },
      ],
    },
    tool({ id: "c1", title: "Read internal/store.go", kind: "read", locations: [{ path: "internal/store.go", line: 12 }], content: [{ type: "text", text: "package store\n", markdown: false }] }),
    tool({ id: "c2", title: "Search for \"Find(\"", kind: "search", ended: began + 40, input: "{\n  \"pattern\": \"Find(\"\n}" }),
    tool({ id: "a1", title: "Look through the callers", kind: "think", ended: began + 8400 }),
    tool({ id: "a2", parent: "a1", title: "Read internal/cache.go", kind: "read", ended: began + 300 }),
    tool({ id: "a3", parent: "a1", title: "Fetch the notes on maps", kind: "fetch", status: "failed", ended: began + 900, content: [{ type: "text", text: "no route to host", markdown: false }] }),
    { type: "message", id: "m1", text: answer, blocks: [] },
    tool({ id: "c3", title: "Edit internal/store.go", kind: "edit", decision: "Allowed once", content: [diff("internal/store.go")] }),
    tool({
      id: "c4",
      title: "go test ./...",
      kind: "execute",
      status: "in_progress",
      started: Date.now() - 4000,
      progress: 0.4,
      input: "{\n  \"command\": \"go test -race ./...\"\n}",
      content: [{ type: "terminal", terminalId: "x", text: "\u001b[32mok\u001b[0m  \tstore\t0.4s\n\u001b[1;31mFAIL\u001b[0m\tcache\t1.2s\n\u001b[2m--- \u001b[33mTestFind\u001b[0m (0.00s)\n" }],
    }),
  ];
}

export const asking: Item[] = [
  { type: "user", id: "u9", text: "/run rm -r build && make", attachments: [] },
  tool({
    id: "c9",
    title: "rm -r build && make",
    kind: "execute",
    status: "pending",
    input: "{\n  \"command\": \"rm -r build && make\",\n  \"cwd\": \"/project\"\n}",
    permission: {
      requestId: "r9",
      reason: "This runs a shell command in /project.",
      options: [
        { id: "yes", name: "Allow", kind: "allow_once" },
        { id: "always", name: "Always allow make", kind: "allow_always" },
        { id: "no", name: "Reject", kind: "reject_once" },
      ],
    },
  }),
];

export function chat(items: Item[], part: Partial<Session> = {}): ToView {
  const whole: Chat = { session: session(part), items };
  return { type: "chat", revision: 1, chat: whole };
}

/** A login with one method of each kind. */
export const wanted: Login = {
  type: "login",
  id: "login:chat-1:1",
  message: "Authentication required",
  methods: [
    { id: "browser", name: "Log in with the browser", description: "Opens a page of the agent's maker." },
    { id: "terminal", name: "Log in in a terminal", command: "/usr/local/bin/turnwire acp --agent acp -- claude-agent-acp --cli" },
    { id: "key", name: "Use a key", variables: [{ name: "TEA_API_KEY", label: "The key of your account", optional: false }, { name: "TEA_BASE_URL", optional: true }] },
  ],
};
