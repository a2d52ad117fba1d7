/** What a program prints when it fails: lines whose columns and names are read as code. */
const signs = [
  /^\s*Traceback \(most recent call last\)/m, // Python
  /^\s+File ".+", line \d+/m,
  /^\s+at .+[(:][^()\n]*:\d+/m, // JavaScript, Java, C#
  /^goroutine \d+ \[/m, // Go
  /^thread '.*' panicked at /m, // Rust
  /^\s+from .+:\d+:in /m, // Ruby
];

/** Nothing that is longer is looked through whole: the signs stand at its beginning or its end. */
const longest = 20_000;

export function isTraceback(text: string): boolean {
  const looked = text.length <= longest ? text : `${text.slice(0, longest / 2)}\n${text.slice(-longest / 2)}`;
  return signs.some((sign) => sign.test(looked));
}
