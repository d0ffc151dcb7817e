import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { reasonOf } from './api.js';

interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly dangerous?: boolean;
  /** A text field or a choice. */
  readonly field?: {
    readonly label: string;
    readonly options?: readonly string[];
    readonly required?: boolean;
  };
  /** What has happened when it succeeds; by default, that it is done. */
  readonly done?: string;
  /** `reason` is empty unless one is asked for. */
  readonly act: (given: string, reason: string) => Promise<unknown>;
  /** Also asks why, for the audit. */
  readonly asksWhy?: boolean | 'required';
}

const asked = signal<Question | undefined>(undefined);
/** The last action, announced to screen readers. */
export const notice = signal('');

export function ask(question: Question): void {
  asked.value = question;
}

/** Nothing changes a host without this dialog. */
export function Confirmation() {
  const question = asked.value;
  if (question === undefined) return null;
  return (
    <Modal label={question.title} closed={() => (asked.value = undefined)}>
      <Form question={question} />
    </Modal>
  );
}

/** Gives the focus back to where it was, too. */
export const closeDialog = (): void => document.querySelector<HTMLDialogElement>('dialog[open]')?.close();

/** A dialog that is open as long as it is there. */
export function Modal({
  label,
  closed,
  className = '',
  children,
}: {
  readonly label: string;
  readonly closed: () => void;
  readonly className?: string;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={label} class={className} onClose={closed}>
      {children}
    </dialog>
  );
}

function Form({ question }: { readonly question: Question }) {
  const {
    title,
    text,
    confirm,
    dangerous = false,
    field,
    act,
    asksWhy = false,
    done = `${title} Done.`,
  } = question;
  const [given, setGiven] = useState(field?.options?.[0] ?? '');
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await act(given, reason);
      notice.value = done;
      closeDialog();
    } catch (error) {
      setFailure(reasonOf(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h2>{title}</h2>
      <p>{text}</p>
      {field !== undefined && <Field field={field} given={given} set={setGiven} />}
      {asksWhy === true && <Field field={{ label: 'Reason (optional)' }} given={reason} set={setReason} />}
      {asksWhy === 'required' && (
        <Field field={{ label: 'Reason', required: true }} given={reason} set={setReason} />
      )}
      <p class="failure" role="alert">
        {failure}
      </p>
      <div class="menu">
        <button type="button" class="plain" onClick={closeDialog}>
          Cancel
        </button>
        <button type="submit" class={dangerous ? 'danger' : 'primary'} disabled={busy}>
          {confirm}
        </button>
      </div>
    </form>
  );
}

function Field({
  field: { label, options, required = false },
  given,
  set,
}: {
  readonly field: NonNullable<Question['field']>;
  readonly given: string;
  readonly set: (text: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      {options === undefined ? (
        <input
          value={given}
          maxLength={500}
          required={required}
          onInput={(event) => set(event.currentTarget.value)}
        />
      ) : (
        <select value={given} onChange={(event) => set(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
    </label>
  );
}
