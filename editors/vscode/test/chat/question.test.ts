import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { check, fieldsOf } from "../../src/chat/form.js";
import type { Question } from "../../src/shared/model.js";
import { Desk, turnwire } from "./desk.js";

test("a question is a form, and its answer reaches the agent", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.prompt("/ask Which? | red | blue");
    await desk.view.until(() => desk.view.all("question").length > 0);
    const [question] = desk.view.all("question");
    assert.ok(question);
    assert.match(question.message, /Which\?/);
    const [field] = question.fields;
    assert.ok(field);
    await desk.say({ type: "answer", questionId: question.id, values: {} });
    assert.match(desk.editor.told[0] ?? "", /is required/);
    await desk.say({ type: "answer", questionId: question.id, values: { [field.name]: "blue" } });
    await turn;
    assert.equal(desk.view.all("question")[0]?.answer, "blue");
    assert.match(desk.view.text, /blue/);
    assert.deepEqual(desk.editor.settledIds, [question.id]);
    await desk.say({ type: "answer", questionId: question.id, values: { [field.name]: "red" } });
    assert.equal(desk.view.all("question")[0]?.answer, "blue");
  }));

test("a question can be declined, and a cancel withdraws it", () =>
  Desk.use({}, async (desk) => {
    let turn = desk.prompt("/ask Which? | red | blue");
    await desk.view.until(() => desk.view.all("question").length === 1);
    await desk.say({ type: "decline", questionId: desk.view.all("question")[0]?.id ?? "" });
    await turn;
    turn = desk.prompt("/ask Which? | red | blue");
    await desk.view.until(() => desk.view.all("question").length === 2);
    await desk.say({ type: "cancel" });
    await turn;
    assert.deepEqual(desk.view.all("question").map((q) => q.answer), ["Not answered", "Cancelled"]);
  }));

const schema = {
  properties: {
    name: { type: "string", title: "Name", minLength: 2, maxLength: 4 },
    mail: { type: "string", format: "email" },
    age: { type: "integer", minimum: 1, maximum: 9 },
    sure: { type: "boolean", default: true },
    color: { type: "string", oneOf: [{ const: "r", title: "Red" }] },
    many: { type: "array", items: { type: "string", enum: ["a", "b", "c"] }, minItems: 1, maxItems: 2 },
  },
  required: ["name"],
} as Parameters<typeof fieldsOf>[0];

test("an answer that violates the schema is refused", () => {
  const fields = fieldsOf(schema);
  assert.deepEqual(fields.map((f) => f.input.kind), ["text", "text", "number", "boolean", "choice", "choices"]);
  const good = { name: "Ann", mail: "a@b", age: 3, sure: false, color: "r", many: ["a", "c"] };
  assert.deepEqual(check(fields, good), { values: good });
  assert.deepEqual(check(fields, { name: "Ann", more: 1, mail: "", many: [] }), { values: { name: "Ann" } });
  const bad: Record<string, unknown>[] = [
    {}, { name: "A" }, { name: "Anneli" }, { name: 3 }, { name: "Ann", mail: "no" }, { name: "Ann", age: 0 }, { name: "Ann", age: 1.5 },
    { name: "Ann", age: "3" }, { name: "Ann", age: NaN }, { name: "Ann", sure: "yes" }, { name: "Ann", color: "Red" },
    { name: "Ann", many: ["a", "b", "c"] }, { name: "Ann", many: ["a", "a"] }, { name: "Ann", many: ["x"] }, { name: "Ann", many: "a" },
    { __proto__: { name: "Ann" } },
  ];
  for (const values of bad) assert.ok("fault" in check(fields, values), JSON.stringify(values));
});

test("a form that nobody can fill in is refused", () => {
  assert.throws(() => fieldsOf({ properties: { x: { type: "colour" } } }), /unknown type/);
  assert.throws(() => fieldsOf({ properties: { x: { type: "array", items: { type: "string", enum: [] } } } }), /no choices/);
});

test("a secret reaches only the agent, and is not shown, saved or logged", () => {
  const question = { type: "question", questionId: "q", question: "Log in", fields: [{ name: "user" }, { name: "key", secret: true }] };
  const agent = `while read -r line; do case $line in
    '{"type":"prompt"'*) echo '${JSON.stringify(question)}' ;;
    '{"type":"question_response"'*) printf '%s' "$line" > answer; echo '{"type":"done"}' ;;
  esac; done`;
  return Desk.use({ agent: { ...turnwire, args: ["acp", "--", "sh", "-c", agent] } }, async (desk) => {
    const turn = desk.prompt("go");
    await desk.view.until(() => desk.view.all("question").length > 0);
    const [{ id, fields }] = desk.view.all("question") as [Question];
    assert.deepEqual(fields.map(({ input }) => input.kind === "text" && input.secret), [undefined, true]);
    await desk.say({ type: "answer", questionId: id, values: { user: "ada", key: "s3cr3t" } });
    await turn;
    assert.match(await readFile(desk.path("answer"), "utf8"), /"key":"s3cr3t"/);
    assert.equal(desk.view.all("question")[0]?.answer, "user: ada\nkey: ••••••");
    await desk.reload();
    assert.match(JSON.stringify(desk.view.items), /user: ada/);
    const logged = desk.traffic.join("\n");
    assert.match(logged, /→.*"user":"ada","key":"••••••"/);
    for (const text of [logged, JSON.stringify(desk.view.taken)]) assert.doesNotMatch(text, /s3cr3t/);
  });
});

test("the default of a secret is not shown", () => {
  const secret = { type: "string", default: "old", enum: null, _meta: { "turnwire.dev/secret": true } };
  const [field, other] = fieldsOf({ properties: { a: secret, b: { ...secret, _meta: { "turnwire.dev/secret": "yes" } } } } as Parameters<typeof fieldsOf>[0]);
  assert.deepEqual(field?.input, { kind: "text", multiline: false, secret: true });
  assert.ok(other?.input.kind === "text" && !other.input.secret);
});
