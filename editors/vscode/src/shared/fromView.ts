/**
 * Validates the view's messages. The view displays what agents send, so its
 * messages are as untrusted as any external input.
 */
import type { FromView } from "./messages.js";
import { largestPicture } from "./pictures.js";

type Check = (value: unknown) => boolean;

const text: Check = (v) => typeof v === "string";
const number: Check = (v) => typeof v === "number" && Number.isSafeInteger(v) && v >= 0;
const choice: Check = (v) => typeof v === "string" || typeof v === "boolean";
const maybe = (check: Check): Check => (v) => v === undefined || check(v);
const record: Check = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const attachments: Check = (v) => Array.isArray(v) && v.length <= 100 && v.every(isAttachment);

function isAttachment(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, label, uri, data } = value as Record<string, unknown>;
  return ["file", "selection", "image"].includes(String(kind)) && text(label) && text(uri) && maybe(text)(data) && String(data ?? "").length <= largestPicture;
}

const messages: Record<FromView["type"], Record<string, Check>> = {
  ready: {},
  prompt: { text, attachments },
  editQueued: { id: text },
  removeQueued: { id: text },
  sendQueued: { id: text },
  resumeQueue: {},
  cancel: {},
  retry: { id: maybe(text) },
  rewind: { id: text, undo: (v) => typeof v === "boolean" },
  fix: { fix: (v) => ["install", "settings", "log", "again", "trust", "folder"].includes(String(v)) },
  permission: { requestId: text, optionId: text },
  refuse: { requestId: text, path: text, change: number, refused: (v) => typeof v === "boolean" },
  answer: { questionId: text, values: record },
  decline: { questionId: text },
  login: { loginId: text, methodId: text },
  declineLogin: { loginId: text },
  setOption: { optionId: text, value: choice },
  newSession: { agent: maybe(text) },
  chooseAgent: {},
  listSessions: {},
  moreSessions: {},
  openSession: { id: text },
  renameSession: { id: text, title: text },
  deleteSession: { id: text },
  findFiles: { query: text },
  openDiff: { toolCallId: text, index: number },
  openOutput: { toolCallId: text, index: number },
  reviewChanges: { id: text },
  undoChanges: { id: text },
  openFile: { path: text, line: maybe(number) },
  openLink: { href: text },
  copy: { text },
  insert: { text },
  failed: { message: text },
};

/** Returns the message, or undefined if it is invalid. */
export function readFromView(value: unknown): FromView | undefined {
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") return undefined;
  const checks = Object.hasOwn(messages, value.type) ? messages[value.type as FromView["type"]] : undefined;
  if (!checks) return undefined;
  const members = value as unknown as Record<string, unknown>;
  return Object.entries(checks).every(([name, check]) => check(members[name])) ? (value as FromView) : undefined;
}
