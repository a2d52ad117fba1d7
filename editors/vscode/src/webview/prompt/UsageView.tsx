/** The agent's context usage, and the session's cost. */
import type { Usage } from "../../shared/model.js";
import { count, money } from "../frame/format.js";

export function UsageView({ usage }: { usage: Usage }) {
  const { used, size, cost } = usage;
  const share = size ? Math.min(1, used / size) : undefined;
  const price = cost ? money(cost.amount, cost.currency) : undefined;
  const tokens = size ? `${used.toLocaleString("en")} of ${size.toLocaleString("en")} tokens` : `${used.toLocaleString("en")} tokens`;
  const all = price ? `${tokens}, ${price}` : tokens;
  return (
    <span class="usage" role="img" aria-label={all} title={all}>
      {share !== undefined && (
        <svg class={`gauge ${share > 0.9 ? "full" : ""}`} viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="8" cy="8" r="5.5" class="gauge-all" />
          <circle cx="8" cy="8" r="5.5" class="gauge-used" pathLength={100} stroke-dasharray={`${Math.round(share * 100)} 100`} />
        </svg>
      )}
      <span>{[`${count(used)} ${used === 1 ? "token" : "tokens"}`, price].filter(Boolean).join(" · ")}</span>
    </span>
  );
}
