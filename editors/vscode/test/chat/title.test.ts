import assert from "node:assert/strict";
import { test } from "node:test";

import { titleFromPrompt } from "../../src/chat/sessionFacts.js";

test("a chat's title is the first sentence of its prompt, without Markdown", () => {
  for (const [prompt, title] of [
    ["Fix the failing test. Then run it.", "Fix the failing test."],
    ["## Please **rename** `find` in [store.go](file:///store.go)\nand more", "Please rename find in store.go"],
    ["1. Add a test", "Add a test"],
    ["Why is __init__.py empty?", "Why is __init__.py empty?"],
    ["Format src/**/*.ts and lib/**", "Format src/**/*.ts and lib/**"],
    ["Use v1.2 of it", "Use v1.2 of it"],
    ["/say There.", "/say There."],
    ["Hi. And now?", "Hi. And now?"],
  ] as const) {
    assert.equal(titleFromPrompt(prompt), title);
  }
});
