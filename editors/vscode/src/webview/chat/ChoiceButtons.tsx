/**
 * The choices of a question as buttons: one click or digit answers. The user's own answer may
 * be a text field below them.
 */
import type { Field, FieldChoice, Question } from "../../shared/model.js";
import { OptionName } from "./OptionName.js";

/** More choices than this have no digit. */
const mostButtons = 9;

/** Returns the choices if nothing else must be filled in. */
export function buttonChoices({ fields }: Question): { field: Field; choices: FieldChoice[]; own: Field | undefined } | undefined {
  const [field, own, ...others] = fields;
  if (field?.input.kind !== "choice" || field.input.choices.length > mostButtons || others.length > 0) return undefined;
  if (own && (own.required || own.input.kind !== "text")) return undefined;
  return { field, choices: field.input.choices, own };
}

interface Props {
  label: string;
  choices: readonly FieldChoice[];
  sent: boolean;
  settled: boolean;
  choose: (choice: FieldChoice, event: Event) => void;
}

export function ChoiceButtons({ label, choices, sent, settled, choose }: Props) {
  return (
    <div class="choices" role="group" aria-label={label}>
      {choices.map((choice, index) => (
        <button
          type="button"
          key={choice.value}
          class="button secondary"
          aria-keyshortcuts={String(index + 1)}
          aria-disabled={!settled}
          disabled={sent}
          onClick={(event) => event.detail <= 1 && choose(choice, event)}
        >
          <OptionName name={choice.label} />
          <kbd aria-hidden="true">{index + 1}</kbd>
        </button>
      ))}
    </div>
  );
}
