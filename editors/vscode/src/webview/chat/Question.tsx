/**
 * A question from the agent, as a form.
 *
 * The browser checks the answers, except against the agent's own patterns: a
 * malicious pattern can block a matcher for hours. They are shown instead.
 */
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Field, FieldChoice, Question } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { changed, isWritten, keyFor, memoryOf } from "../frame/memory.js";
import { Icon, Label } from "../frame/components.js";
import { visible, visibleLine } from "../text/visible.js";
import { answersOf, initial, keepable, type Value } from "./answers.js";
import { buttonChoices, ChoiceButtons } from "./ChoiceButtons.js";
import { FieldView } from "./FieldView.js";
import { afterPause, useAppearance } from "./guard.js";
import { promptField, returnFocus } from "./keys.js";
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
  const { settled, precedes } = useAppearance();
  const quick = buttonChoices(item);
  // The user's own answer is only sent if there is one.
  const fields = quick ? (quick.own ? [ownField(quick.own)] : []) : item.fields;
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
    returnFocus(form.current?.contains(document.activeElement) && document.activeElement?.matches(":focus-visible"));
    delete answers[keyFor(item.id)];
    changed(chatId);
    send();
  };

  const choose = (choice: FieldChoice, event: Event) => {
    const byKey = event instanceof KeyboardEvent || (event instanceof MouseEvent && event.detail === 0);
    const may = precedes(event) && (!byKey || (afterPause(event) && !isWritten(memoryOf(chatId).draft)));
    if (quick) finish(event, may, () => post({ type: "answer", questionId: item.id, values: { [quick.field.name]: choice.value } }));
  };

  // Like a permission request, it takes the focus from an empty prompt.
  useLayoutEffect(() => {
    const prompt = promptField();
    if (quick && document.hasFocus() && document.activeElement === prompt && !isWritten(memoryOf(chatId).draft)) form.current?.focus({ preventScroll: true });
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const writes = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (!quick || writes || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const choice = /^[1-9]$/.test(event.key) ? quick.choices[Number(event.key) - 1] : undefined;
    if (choice) choose(choice, event);
    else if (event.key.length === 1 && event.key !== " ") promptField()?.focus(); // the prompt receives the character
  };

  return (
    <form
      class="card-body form"
      onKeyDown={onKeyDown}
      ref={form}
      aria-label={visible(item.message)}
      tabIndex={-1}
      data-asks
      onSubmit={(event) => finish(event, settled, () => post({ type: "answer", questionId: item.id, values: answersOf(fields, values) }))}
    >
      {quick && <ChoiceButtons label={visibleLine(quick.field.label)} choices={quick.choices} sent={sent} settled={settled} choose={choose} />}
      {fields.map((field, index) => (
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
        {fields.length > 0 && <button type="submit" class={`button ${quick ? "secondary" : "primary"}`} disabled={sent} aria-disabled={!settled}><Icon name="check" />Answer</button>}
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

/** A line for the user's own answer. */
function ownField(field: Field): Field {
  return { ...field, required: true, input: field.input.kind === "text" ? { ...field.input, multiline: false } : field.input };
}
