/** The names of permission options and decisions. */
import type { PermissionChoice } from "../shared/model.js";
import { cutMiddle } from "./cutText.js";

type Kind = PermissionChoice["kind"];

const mostName = 1_000;

/** The decision about a call, in words. */
export interface Decided {
  words: string;
  refused?: true;
  partly?: true;
}

/** Reads a decision that Turnwire reports: one by a rule, or one in a replayed chat. */
export function readDecision(value: unknown): Decided | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { verdict, option, optionName, by, rule, partial } = value as Record<string, unknown>;
  const text = (given: unknown): string => (typeof given === "string" ? cutMiddle(given.trim(), mostName) : "");
  if (verdict === "none") return { words: "Cancelled" };
  if (verdict !== "allow" && verdict !== "deny") return undefined;
  const refused = verdict === "deny" ? { refused: true as const } : {};
  if (by === "rule") return { words: `${verdict === "deny" ? "Rejected" : "Allowed"} by rule ${text(rule)}`, ...refused };
  if (!isKind(option) || option.startsWith("allow") !== (verdict === "allow")) return undefined;
  const partly = partial === true && option === "allow_once" ? { partly: true as const } : {};
  return { words: decided({ kind: option, name: honest(text(optionName), option) }, "", partial === true), ...refused, ...partly };
}

const isKind = (kind: unknown): kind is Kind => typeof kind === "string" && Object.hasOwn(kindNames, kind);

/**
 * Returns an option's name, which the agent chooses; a mark next to it says whether it allows.
 * If the name of an allowing option says the opposite, or not that it lasts, the kind is
 * added. A rejecting option may have any name: mistaking it for consent does no harm.
 */
export function honest(name: string, kind: Kind): string {
  if (name === "") return kindNames[kind];
  const misleads = kind.startsWith("allow") && (refusing.test(name) || (kind === "allow_always" && !lasting.test(name)));
  return misleads ? `${name} (${kindNames[kind].toLowerCase()})` : name;
}

const refusing = /^\W*(?:no|not|never|don['’]?t|do not|reject|deny|refuse|decline|cancel|abort|stop|skip|block|disallow)\b/i;
const lasting = /\b(?:always|all|every|any|again|session|chat|project|folder|workspace|remember|rule|future|forever|permanent(?:ly)?|accept)\b/i;

const kindNames = {
  allow_once: "Allow",
  allow_always: "Always allow",
  reject_once: "Reject",
  reject_always: "Always reject",
} as const;

/**
 * `from` is the client or device where the user decided; empty if it was here. `partial` means
 * that only some of the changes were allowed.
 */
export function decided({ kind, name }: Pick<PermissionChoice, "kind" | "name">, from = "", partial = false): string {
  const decision = partial && kind === "allow_once" ? "Allowed in part" : decisions[kind];
  const what = kindNames[kind] === name ? decision : `${decision}: ${name}`;
  return from === "" ? what : `${what}, from ${cutMiddle(from, mostName)}`;
}

const decisions = {
  allow_once: "Allowed",
  allow_always: "Always allowed",
  reject_once: "Rejected",
  reject_always: "Always rejected",
} as const;
