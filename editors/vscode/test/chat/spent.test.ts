/** Usage and cost in the status bar. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { spent } from "../../src/vscode/usageText.js";

test("usage is shown briefly, with the reported context window and cost", () => {
  assert.equal(spent({ used: 950 }), "950 tokens");
  assert.equal(spent({ used: 53_400, size: 200_000 }), "53.4k/200k tokens (27%)");
  assert.equal(spent({ used: 1_200_000, size: 0 }), "1.2M tokens");
  assert.equal(spent({ used: 10, size: 100, cost: { amount: 0.0421, currency: "USD" } }), "10/100 tokens (10%) · $0.0421");
  assert.equal(spent({ used: 10, size: 100, cost: { amount: 12.5, currency: "EUR" } }), "10/100 tokens (10%) · €12.50");
});

test("a cost with an invalid currency is shown as a number", () => {
  for (const currency of ["", "credits", "US$", "usd"]) {
    assert.equal(spent({ used: 1, cost: { amount: 3, currency } }), "1 token · 3.00");
  }
});
