/** The names of permission options and decisions. */
import type { PermissionChoice } from "../shared/model.js";
import { cutMiddle } from "./cutText.js";

type Kind = PermissionChoice["kind"];

const mostName = 1_000;

/** The decision about a call, in words. */
export interface Decided {
  words: string;
  refused?: true;
}

/** Reads a decision that Turnwire reports: one by a rule, or one in a replayed chat. */
export function readDecision(value: unknown): Decided | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { verdict, option, optionName, by, rule, from } = value as Record<string, unknown>;
  const text = (given: unknown): string => (typeof given === "string" ? cutMiddle(given.trim(), mostName) : "");
  if (verdict === "none") return { words: "Cancelled" };
  if (verdict !== "allow" && verdict !== "deny") return undefined;
  const refused = verdict === "deny" ? { refused: true as const } : {};
  if (by === "rule") return { words: `${verdict === "deny" ? "Rejected" : "Allowed"} by rule ${text(rule)}`, ...refused };
  if (!isKind(option) || option.startsWith("allow") !== (verdict === "allow")) return undefined;
  return { words: decided({ kind: option, name: honest(text(optionName), option) }, text(from)), ...refused };
}

const isKind = (kind: unknown): kind is Kind => typeof kind === "string" && Object.hasOwn(kindNames, kind);

/**
 * Returns an option's name. The agent chooses names, so if a name hides that
 * the option allows, the kind is added.
 */
export function honest(name: string, kind: Kind): string {
  if (name === "") return kindNames[kind];
  return sayings[kind].test(name) ? name : `${name} (${kindNames[kind].toLowerCase()})`;
}

/**
 * Rejecting options may have any name: mistaking one for consent does no harm.
 */
const sayings = {
  allow_once: /^allow\b/i,
  allow_always: /^(?:always allow|allow (?:always|all))\b/i,
  reject_once: /^/,
  reject_always: /^/,
} as const;

const kindNames = {
  allow_once: "Allow",
  allow_always: "Always allow",
  reject_once: "Reject",
  reject_always: "Always reject",
} as const;

/** `from` is the client or device where the user decided; empty if it was here. */
export function decided({ kind, name }: Pick<PermissionChoice, "kind" | "name">, from = ""): string {
  const what = kindNames[kind] === name ? decisions[kind] : `${decisions[kind]}: ${name}`;
  return from === "" ? what : `${what}, from ${cutMiddle(from, mostName)}`;
}

const decisions = {
  allow_once: "Allowed",
  allow_always: "Always allowed",
  reject_once: "Rejected",
  reject_always: "Always rejected",
} as const;
