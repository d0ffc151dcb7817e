import type { Content, Operation } from './document.js';
import { el } from './element.js';
import { send } from './send.js';

/** Sends what is typed, and tells the same as a curl command. */
export function tryView({ method, path }: Operation, body: Content | undefined): HTMLElement {
  const url = new URL(path.slice(1), location.href);
  const text = bodyField(body);
  const key = keyField();
  const curl = el('pre', { tabindex: '0', 'aria-label': 'curl' });
  const answer = el('output', { 'aria-live': 'polite' });
  const write = (): void => {
    curl.textContent = curlOf(method, url, key.value, text.value);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void send({ method, url, key: key.value, body: text.value }, answer);
  };
  const renew = (): void => {
    key.value = newKey();
    write();
  };
  const form = el(
    'form',
    { oninput: write, onsubmit: submit },
    text,
    el('p', { class: 'row' }, key, el('button', { type: 'button', onclick: renew }, 'New key')),
    el(
      'p',
      { class: 'row' },
      el('button', { class: 'main' }, 'Send'),
      el('small', { class: 'quiet' }, 'Ctrl + Enter'),
    ),
  );
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  write();
  const title = el('h3', {}, 'curl', copyButton(curl));
  const heading = el('h3', {}, 'Try it');
  return el('section', { class: 'try', 'aria-label': 'Try it' }, heading, form, answer, title, curl);
}

function bodyField(body: Content | undefined): HTMLTextAreaElement {
  const text = el('textarea', { 'aria-label': 'Body', spellcheck: 'false' });
  text.value = body?.example === undefined ? '{}' : JSON.stringify(body.example, null, 2);
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

function curlOf(method: string, url: URL, key: string, body: string): string {
  const headers = ['Content-Type: application/json', ...(key === '' ? [] : [`Idempotency-Key: ${key}`])].map(
    (header) => `-H ${quoted(header)}`,
  );
  return [`curl -X ${method} ${quoted(url.href)}`, ...headers, `-d ${quoted(body)}`].join(' \\\n  ');
}

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** Not randomUUID: that is missing where the page is served without TLS. */
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
