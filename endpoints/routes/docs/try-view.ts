import { credentialField } from './credential-field.js';
import { addressParametersOf, type Content, type Operation } from './openapi-document.js';
import { el } from './element.js';
import { parameterFields } from './parameter-fields.js';
import { type Request, send } from './send-request.js';

/** Sends what the user typed, and shows it as a curl command. */
export function tryView(operation: Operation, body: Content | undefined): HTMLElement {
  const { method, path } = operation;
  const { rows, url } = parameterFields(path, addressParametersOf(operation));
  const sent = body === undefined ? undefined : bodyFields(body);
  const credential = credentialField(operation);
  const curl = el('pre', { tabindex: '0', 'aria-label': 'curl' });
  const answer = el('output', { 'aria-live': 'polite' });
  const request = (): Request => {
    const { headers, body: text } = sent?.read() ?? nothingSent;
    return { method, url: url(), headers: { ...headers, ...credential.read() }, body: text };
  };
  const write = (): void => {
    curl.textContent = curlOf(request());
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void send(request(), answer);
  };
  const form = el(
    'form',
    { oninput: write, onsubmit: submit },
    rows,
    sent?.rows ?? [],
    credential.rows,
    el(
      'p',
      { class: 'row' },
      el('button', { class: 'main' }, 'Send'),
      el('small', { class: 'quiet' }, sent ? 'Ctrl + Enter' : 'Enter'),
    ),
  );
  write();
  const title = el('h3', {}, 'curl', copyButton(curl));
  const heading = el('h3', {}, 'Try it');
  return el('section', { class: 'try', 'aria-label': 'Try it' }, heading, form, answer, title, curl);
}

interface BodyFields {
  readonly rows: readonly HTMLElement[];
  read(): Pick<Request, 'headers' | 'body'>;
}

const nothingSent = { headers: {}, body: null };

function bodyFields(body: Content): BodyFields {
  const text = bodyField(body);
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) text.form?.requestSubmit();
  });
  const key = keyField();
  const renew = (): void => {
    key.value = newKey();
    key.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const button = el('button', { type: 'button', onclick: renew }, 'New key');
  return {
    rows: [text, el('p', { class: 'row' }, key, button)],
    read: () => ({
      headers: {
        'Content-Type': 'application/json',
        ...(key.value === '' ? {} : { 'Idempotency-Key': key.value }),
      },
      body: text.value,
    }),
  };
}

function bodyField(body: Content): HTMLTextAreaElement {
  const text = el('textarea', { 'aria-label': 'Body', spellcheck: 'false' });
  text.value = body.example === undefined ? '{}' : JSON.stringify(body.example, null, 2);
  text.rows = Math.min(20, Math.max(6, text.value.split('\n').length + 1));
  return text;
}

const keyField = (): HTMLInputElement =>
  el('input', {
    'aria-label': 'Idempotency-Key',
    placeholder: 'Idempotency-Key',
    autocomplete: 'off',
    spellcheck: 'false',
  });

function curlOf({ method, url, headers, body }: Request): string {
  const headerOptions = Object.entries(headers).map(
    ([name, value]) => `-H ${quoted(`${name}: ${name === 'Authorization' ? 'Bearer …' : value}`)}`,
  );
  const sent = body === null ? [] : [`-d ${quoted(body)}`];
  return [`curl -X ${method} ${quoted(url.href)}`, ...headerOptions, ...sent].join(' \\\n  ');
}

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** Not randomUUID, which is missing on pages served without TLS. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function copyButton(source: HTMLElement): HTMLElement {
  const copy = async (): Promise<void> => {
    getSelection()?.selectAllChildren(source);
    try {
      await navigator.clipboard.writeText(source.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    } catch {
      button.textContent = 'Selected';
    }
  };
  const button = el('button', { type: 'button', onclick: () => void copy() }, 'Copy');
  return button;
}
