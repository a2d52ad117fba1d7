/** Context usage and cost, in a few characters. */
import type { Usage } from "../shared/model.js";

export function spent({ used, size, cost }: Usage): string {
  return [tokens(used, size), money(cost)].filter(Boolean).join(" · ");
}

function tokens(used: number, size: number | undefined): string {
  const of = size ? `/${short(size)} tokens (${Math.round((used / size) * 100)}%)` : used === 1 ? " token" : " tokens";
  return `${short(used)}${of}`;
}

const short = (n: number): string =>
  new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(n).replace("K", "k");

function money(cost: Usage["cost"]): string {
  if (!cost) return "";
  const digits = cost.amount < 1 ? 4 : 2;
  // The agent chooses the currency; an invalid one makes the format throw.
  if (!/^[A-Z]{3}$/.test(cost.currency)) return cost.amount.toFixed(digits);
  return new Intl.NumberFormat("en", { style: "currency", currency: cost.currency, maximumFractionDigits: digits }).format(cost.amount);
}
