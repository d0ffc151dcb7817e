import { useEffect, useRef } from 'preact/hooks';
import { signInQuestion, signOut, user } from './parts/session.js';

/** Asks for the token or key that the host requires. */
export function SignIn() {
  const question = signInQuestion.value;
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
    <dialog ref={dialog} aria-labelledby="sign-in-title" onClose={() => question.answer(undefined)}>
      <form onSubmit={submit}>
        <h2 id="sign-in-title">Sign in</h2>
        <p>{question.why}</p>
        <label class="field">
          <span>Token or key</span>
          <input ref={field} type="password" autocomplete="current-password" />
        </label>
        <div class="menu">
          <button type="button" class="plain" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Shown to users who signed in; others use what is open to them. */
export function SignOut() {
  if (user.value === undefined) return null;
  return (
    <button type="button" class="plain" title={`Signed in as ${user.value}`} onClick={() => void signOut()}>
      Sign out
    </button>
  );
}
