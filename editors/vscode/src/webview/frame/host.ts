/** The only connection to the extension host, and the view's own memory. */
import type { FromView } from "../../shared/messages.js";

interface VsCodeApi {
  postMessage(message: FromView): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

export function post(message: FromView): void {
  api.postMessage(message);
}

export function remembered(): unknown {
  return api.getState();
}

export function remember(state: unknown): void {
  api.setState(state);
}
