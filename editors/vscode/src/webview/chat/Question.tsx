/**
 * A question from the agent, as a form.
 *
 * The browser checks the answers, except against the agent's own patterns: a
 * malicious pattern can block a matcher for hours. They are shown instead.
 */
import { useContext, useRef, useState } from "preact/hooks";
import type { Field, Question } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { changed, keyFor, memoryOf } from "../frame/memory.js";
import { Icon, Label } from "../frame/components.js";
import { visible } from "../text/visible.js";
import { answersOf, initial, keepable, type Value } from "./answers.js";
import { FieldView } from "./FieldView.js";
import { useAppearance } from "./guard.js";
import { ChatId } from "./hooks.js";

export function QuestionView({ item }: { item: Question }) {
  return (
    <div class={`card question ${item.answer === undefined ? "asks" : ""}`}>
      <div class="card-head">
        <Icon name="question" class="kind" />
        <span class="card-title question-text" dir="auto">{visible(item.message)}</span>
      </div>
      {item.answer === undefined ? <Form item={item} /> : <p class="answer" dir="auto">{visible(item.answer)}</p>}
      {item.unsent && <p class="unsent" role="status">not sent yet</p>}
    </div>
  );
}

function Form({ item }: { item: Question }) {
  const chatId = useContext(ChatId);
  const { answers } = memoryOf(chatId);
  const [values, setValues] = useState<Record<string, Value>>(() => ({ ...initial(item.fields), ...answers[keyFor(item.id)] }));
  const [sent, setSent] = useState(false);
  const { settled } = useAppearance();
  const form = useRef<HTMLFormElement>(null);

  const change = (field: Field, value: Value) => {
    const next = { ...values, [field.name]: value };
    setValues(next);
    answers[keyFor(item.id)] = keepable(item.fields, next);
    changed(chatId);
  };

  const finish = (event: Event, may: boolean, send: () => void) => {
    event.preventDefault();
    if (sent || !may) return;
    setSent(true);
    delete answers[keyFor(item.id)];
    changed(chatId);
    send();
  };

  return (
    <form
      class="card-body form"
      ref={form}
      aria-label={visible(item.message)}
      tabIndex={-1}
      data-asks
      onSubmit={(event) => finish(event, settled, () => post({ type: "answer", questionId: item.id, values: answersOf(item.fields, values) }))}
    >
      {item.fields.map((field, index) => (
        <FieldView
          key={field.name}
          id={`${item.id} ${index}`}
          field={field}
          value={values[field.name] ?? ""}
          disabled={sent}
          onChange={(value) => change(field, value)}
        />
      ))}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={sent} aria-disabled={!settled}><Icon name="check" />Answer</button>
        <button
          type="button"
          class="button secondary"
          disabled={sent}
          onClick={(event) => finish(event, true, () => post({ type: "decline", questionId: item.id }))}
        >
          <Icon name="close" />
          <Label text="Decline" />
        </button>
      </div>
    </form>
  );
}
