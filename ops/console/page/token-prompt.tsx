import { useEffect, useRef } from 'preact/hooks';
import { tokenAsked } from './token.js';

/** Asks for the token that the host requires. */
export function TokenPrompt() {
  const question = tokenAsked.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (question !== undefined) dialog.current?.showModal();
  }, [question]);
  if (question === undefined) return null;
  const submit = (event: Event): void => {
    event.preventDefault();
    question.answer(field.current?.value.trim() || undefined);
  };
  return (
    <dialog ref={dialog} aria-labelledby="token-title" onClose={() => question.answer(undefined)}>
      <form onSubmit={submit}>
        <h2 id="token-title">Token required</h2>
        <p>{question.why}</p>
        <label class="field">
          <span>Token</span>
          <input ref={field} type="password" autocomplete="off" maxLength={200} />
        </label>
        <div class="menu">
          <button type="button" class="plain" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Use token
          </button>
        </div>
      </form>
    </dialog>
  );
}
