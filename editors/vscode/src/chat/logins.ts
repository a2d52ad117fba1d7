/**
 * Logins that the agent needs. Each is offered in the chat, with the agent's
 * methods, until one has worked or the user declines. Nothing is tried before the
 * user chooses it.
 */
import type { Login } from "../shared/model.js";
import type { Way } from "./loginMethods.js";

/** Tries a method; resolves with the error for the user, or undefined. */
export type Attempt = (way: Way, signal: AbortSignal) => Promise<string | undefined>;

interface Pending {
  login: Login;
  choose(methodId: string): void;
  settle(done: boolean, answer: string): void;
}

export interface LoginHooks {
  show(login: Login): void;
  asked(login: Login): void;
  settled(id: string): void;
  /** Returns an id that no item of the chat has. */
  id(): string;
}

export class Logins {
  readonly #pending = new Map<string, Pending>();
  readonly #hooks: LoginHooks;

  constructor(hooks: LoginHooks) {
    this.#hooks = hooks;
  }

  /** The number of pending requests. */
  get waiting(): number {
    return this.#pending.size;
  }

  /**
   * Offers a login; resolves with whether the user logged in. `signal` withdraws
   * the offer.
   */
  offer(message: string, ways: readonly Way[], attempt: Attempt, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    const id = this.#hooks.id();
    const trying = new AbortController();
    const show = (change: Partial<Login>): void => {
      const pending = this.#pending.get(id);
      if (!pending) return;
      pending.login = { type: "login", id, message, methods: ways.map((way) => way.shown), ...change };
      this.#hooks.show(pending.login);
    };
    return new Promise((resolve) => {
      const withdraw = (): void => this.#pending.get(id)?.settle(false, "The agent stopped");
      signal.addEventListener("abort", withdraw, { once: true });
      this.#pending.set(id, {
        login: { type: "login", id, message, methods: [] },
        choose: (methodId) => {
          const way = ways.find(({ shown }) => shown.id === methodId);
          if (!way || way.shown.variables || this.#pending.get(id)?.login.trying !== undefined) return;
          show({ trying: methodId });
          void attempt(way, trying.signal).then((fault) => {
            if (fault === undefined) this.#pending.get(id)?.settle(true, `Logged in: ${way.shown.name}`);
            else show({ fault });
          });
        },
        settle: (done, answer) => {
          signal.removeEventListener("abort", withdraw);
          show({ answer });
          this.#pending.delete(id);
          trying.abort();
          resolve(done);
          this.#hooks.settled(id);
        },
      });
      show({});
      const { login } = this.#pending.get(id)!;
      this.#hooks.asked(login);
    });
  }

  /** Tries the method that the user chose. */
  choose(id: string, methodId: string): void {
    this.#pending.get(id)?.choose(methodId);
  }

  decline(id: string): void {
    this.#pending.get(id)?.settle(false, "Not logged in");
  }

  withdrawAll(answer: string): void {
    for (const pending of [...this.#pending.values()]) pending.settle(false, answer);
  }
}
