/** Sets options of a running agent. */
import type { AgentSession } from "./agentSession.js";
import { errorText } from "./rpcError.js";
import type { Facts } from "./sessionFacts.js";

/**
 * Sets an option and returns whether the agent accepted it. If not, calls
 * `refused` with the reason.
 */
export async function setOption(live: AgentSession, facts: Facts, id: string, value: string | boolean, refused: (why: string) => void): Promise<boolean> {
  const request = facts.options.request(id, value);
  if (!request) return false;
  try {
    if ("mode" in request) {
      await live.setMode(request.mode);
      facts.mode(request.mode);
    } else {
      facts.configOptions(await live.setConfig(request.configId, request.value));
    }
    return true;
  } catch (error) {
    refused(errorText(error));
    return false;
  }
}

export async function logOut(live: AgentSession, notice: (severity: "info" | "error", title: string, description?: string) => void): Promise<void> {
  try {
    await live.logOut();
    notice("info", "Logged out.");
  } catch (error) {
    notice("error", "Logging out failed.", errorText(error));
  }
}
