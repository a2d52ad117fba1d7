/** Formats numbers for display. */

export function duration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** For a time the user waited through: "3 s", never "2.9 s". */
export function roughly(milliseconds: number): string {
  return milliseconds < 60_000 ? `${Math.max(1, Math.round(milliseconds / 1000))} s` : duration(milliseconds);
}

export function count(n: number): string {
  if (n < 1000) return String(n);
  if (n < 99_950) return `${trimmed(n / 1000)}k`;
  if (n < 999_500) return `${Math.round(n / 1000)}k`;
  return `${trimmed(n / 1_000_000)}M`;
}

function trimmed(n: number): string {
  return n.toFixed(1).replace(/\.0$/, "");
}

export function money(amount: number, currency: string): string {
  const digits = amount !== 0 && Math.abs(amount) < 0.01 ? 4 : 2;
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency, maximumFractionDigits: digits }).format(amount);
  } catch {
    return `${amount.toFixed(digits)} ${currency}`; // unknown currency
  }
}

/** Formats an age, for lists. */
export function ago(time: string, now = Date.now()): string {
  const then = Date.parse(time);
  if (Number.isNaN(then)) return "";
  const minutes = Math.round((now - then) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  return days < 30 ? `${days} d ago` : new Date(then).toLocaleDateString();
}

export function plural(n: number, one: string, many: string): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
