/** The words of an error from the other end. */
import * as acp from "@agentclientprotocol/sdk";

/** Returns an error's message. A response's details are better than its message. */
export function errorText(error: unknown): string {
  if (error instanceof acp.RequestError) {
    const { data } = error;
    const details = typeof data === "object" && data !== null && "details" in data ? data.details : undefined;
    return typeof details === "string" && details !== "" ? details : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
