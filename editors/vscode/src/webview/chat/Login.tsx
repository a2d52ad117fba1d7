/**
 * A login that the agent needs before it continues.
 *
 * Nothing is tried before the user chooses it, and a terminal command is shown
 * before it runs. If one method failed, every method can be tried again.
 */
import type { Login, LoginMethod } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { Icon, Label, Spinner } from "../frame/components.js";
import { visible, visibleLine } from "../text/visible.js";
import { useAppearance, type Appearance } from "./guard.js";

export function LoginView({ item }: { item: Login }) {
  return (
    <div class={`card login ${item.answer === undefined ? "asks" : ""}`}>
      <div class="card-head">
        <Icon name="key" class="kind" />
        <span class="card-title">Login required</span>
      </div>
      {item.answer === undefined ? <Offer item={item} /> : <p class="answer" dir="auto">{visible(item.answer)}</p>}
    </div>
  );
}

function Offer({ item }: { item: Login }) {
  const appearance = useAppearance();
  return (
    <div class="card-body" role="group" aria-label="Log in" tabIndex={-1} data-asks>
      <p class="hint" dir="auto">{visible(item.message)}</p>
      {item.fault !== undefined && <p class="login-fault" role="alert" dir="auto">{visible(item.fault)}</p>}
      {item.methods.map((method) => <Method key={method.id} login={item} method={method} appearance={appearance} />)}
      <div class="buttons">
        <button type="button" class="button secondary" onClick={() => post({ type: "declineLogin", loginId: item.id })}>
          <Icon name="close" />
          {item.trying === undefined ? "Not now" : "Stop"}
        </button>
      </div>
    </div>
  );
}

function Method({ login, method, appearance }: { login: Login; method: LoginMethod; appearance: Appearance }) {
  const tries = login.trying === method.id;
  const choose = (event: MouseEvent) => {
    if (event.detail <= 1 && appearance.precedes(event)) post({ type: "login", loginId: login.id, methodId: method.id });
  };
  return (
    <div class="login-method">
      {method.variables ? (
        <p class="login-name"><Label text={method.name} /></p>
      ) : (
        <button type="button" class="button primary" disabled={login.trying !== undefined} aria-disabled={!appearance.settled} onClick={choose}>
          {tries ? <Spinner /> : <Icon name={method.command === undefined ? "key" : "terminal"} />}
          <Label text={method.name} />
        </button>
      )}
      {method.description !== undefined && <p class="hint" dir="auto">{visible(method.description)}</p>}
      {method.command !== undefined && (
        <>
          <p class="hint">{tries ? "Running in the terminal. When it exits, the request is retried." : "Runs in a terminal:"}</p>
          <pre class="command" tabIndex={0} role="group" aria-label="Command" dir="ltr">{visible(method.command)}</pre>
        </>
      )}
      {method.variables && <Variables variables={method.variables} />}
    </div>
  );
}

function Variables({ variables }: { variables: NonNullable<LoginMethod["variables"]> }) {
  return (
    <>
      <p class="hint">Set in the agent's environment (<code>env</code> in <code>turnwire.agents</code>), then restart the agent:</p>
      <ul class="variables">
        {variables.map(({ name, label, optional }) => (
          <li key={name}>
            <code>{visibleLine(name)}</code>
            {label !== undefined && <> <Label text={label} /></>}
            {optional && <span class="optional"> optional</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
