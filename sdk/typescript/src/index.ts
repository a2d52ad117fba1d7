export { Agent, type AgentOptions } from "./agent.js";
export type * from "./events.js";
export { Tool, Turn, type Answer, type Question, type View } from "./turn.js";
export { Cancelled } from "./wire.js";
