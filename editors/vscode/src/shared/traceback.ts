/** Recognizes a program's stack traces, which are displayed as code. */
const signs = [
  /^\s*Traceback \(most recent call last\)/m, // Python
  /^\s+File ".+", line \d+/m,
  /^\s+at .+[(:][^()\n]*:\d+/m, // JavaScript, Java, C#
  /^goroutine \d+ \[/m, // Go
  /^thread '.*' panicked at /m, // Rust
  /^\s+from .+:\d+:in /m, // Ruby
];

/** Longer texts are only searched at the beginning and the end, where these patterns occur. */
const longest = 20_000;

export function isTraceback(text: string): boolean {
  const looked = text.length <= longest ? text : `${text.slice(0, longest / 2)}\n${text.slice(-longest / 2)}`;
  return signs.some((sign) => sign.test(looked));
}
