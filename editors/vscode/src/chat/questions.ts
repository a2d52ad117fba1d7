/** The agent's questions: forms, each answered, declined or withdrawn once. */
import { CreateElicitationRequest, RequestError, type CreateElicitationResponse } from "@agentclientprotocol/sdk";

import type { Question } from "../shared/model.js";
import { cutMiddle } from "./cutText.js";
import { check, fieldsOf, type Values } from "./form.js";
import { mask } from "./secrets.js";

const maxMessage = 32 << 10;
const notAnswered = "Not answered";

interface Pending {
  question: Question;
  settle(response: CreateElicitationResponse, answer: string): void;
}

export interface QuestionHooks {
  show(question: Question): void;
  asked(question: Question): void;
  settled(id: string): void;
  /** Returns an id that no item of the chat has. */
  id(): string;
}

/** The most answered questions that are remembered. */
const mostAnswered = 100;

export class Questions {
  /** The ids of the answered questions, in the order of their responses. */
  #answered: string[] = [];
  readonly #pending = new Map<string, Pending>();
  readonly #hooks: QuestionHooks;

  constructor(hooks: QuestionHooks) {
    this.#hooks = hooks;
  }

  /** The number of pending requests. */
  get waiting(): number {
    return this.#pending.size;
  }

  ask(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    if (signal.aborted) return Promise.resolve({ action: "cancel" });
    const question: Question = {
      type: "question",
      id: this.#hooks.id(),
      message: cutMiddle(request.message, maxMessage),
      fields: readFields(request),
    };
    return new Promise((resolve) => {
      const withdraw = (): void => this.#withdraw(question.id, "Withdrawn by the agent");
      signal.addEventListener("abort", withdraw, { once: true });
      this.#pending.set(question.id, {
        question,
        settle: (response, answer) => {
          signal.removeEventListener("abort", withdraw);
          this.#pending.delete(question.id);
          this.#answered = [...this.#answered, question.id].slice(-mostAnswered);
          resolve(response);
          this.#hooks.show({ ...question, answer });
          this.#hooks.settled(question.id);
        },
      });
      this.#hooks.show(question);
      this.#hooks.asked(question);
    });
  }

  /** Answers a question; returns what is wrong with the answer if it is invalid. */
  answer(id: string, given: Readonly<Record<string, unknown>>): string | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return "This question is no longer open.";
    const checked = check(pending.question.fields, given);
    if ("fault" in checked) return checked.fault;
    pending.settle({ action: "accept", content: checked.values }, inWords(pending.question, checked.values));
    return undefined;
  }

  /** Returns the ids of the questions that were answered last. */
  lastAnswered(count: number): string[] {
    return count === 0 ? [] : this.#answered.slice(-count);
  }

  decline(id: string): void {
    this.#pending.get(id)?.settle({ action: "decline" }, notAnswered);
  }

  withdrawAll(answer: string): void {
    for (const id of [...this.#pending.keys()]) this.#withdraw(id, answer);
  }

  /** Shows a replayed question with its answer. Nothing waits for it. */
  past(form: unknown, answer: unknown): void {
    const { action, content } = record(answer);
    const { message } = record(form);
    try {
      const question: Question = {
        type: "question",
        id: this.#hooks.id(),
        message: cutMiddle(typeof message === "string" ? message : "", maxMessage),
        fields: readFields(form as CreateElicitationRequest),
      };
      const words = action === "accept" ? inWords(question, record(content) as Values, true) : action === "decline" ? notAnswered : "Cancelled";
      this.#hooks.show({ ...question, answer: words });
    } catch {
      // Skip a form from a later version.
    }
  }

  #withdraw(id: string, answer: string): void {
    this.#pending.get(id)?.settle({ action: "cancel" }, answer);
  }
}

function readFields(request: CreateElicitationRequest): Question["fields"] {
  if (!CreateElicitationRequest.isForm(request)) {
    throw RequestError.invalidParams({ details: "this client supports forms only" });
  }
  try {
    return fieldsOf(request.requestedSchema);
  } catch (error) {
    throw RequestError.invalidParams({ details: error instanceof Error ? error.message : String(error) });
  }
}

/**
 * Describes the answers. `past`: the journal stores no secrets, so it is unknown
 * whether an optional one was given.
 */
function inWords({ fields }: Question, values: Values, past = false): string {
  const given = ({ name, required, input }: Question["fields"][number]): boolean =>
    Object.hasOwn(values, name) || (past && required && input.kind === "text" && input.secret === true);
  const answers = fields
    .filter(given)
    .map((field) => {
      const value = values[field.name];
      const text = (Array.isArray(value) ? value : [value]).map((v) => labelOf(field.input, v)).join(", ");
      return fields.length === 1 ? text : `${field.label}: ${text}`;
    });
  return answers.join("\n") || "Empty answer";
}

function labelOf(input: Question["fields"][number]["input"], value: unknown): string {
  if (input.kind === "text" && input.secret) return mask;
  if (input.kind === "boolean") return value === true ? "yes" : "no";
  if ("choices" in input) return input.choices.find((c) => c.value === value)?.label ?? String(value);
  return String(value);
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
