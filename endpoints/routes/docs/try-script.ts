/** The part of the script that sends what is typed, and says the same as a curl command. */
export const tryScript = String.raw`
function tryView({ method, path }, body) {
  const url = new URL(path.slice(1), location.href);
  const text = el('textarea', { 'aria-label': 'Body', spellcheck: 'false' });
  text.value = body?.example === undefined ? '{}' : JSON.stringify(body.example, null, 2);
  text.rows = Math.min(20, Math.max(6, text.value.split('\n').length + 1));
  const key = el('input', { 'aria-label': 'Idempotency-Key', placeholder: 'Idempotency-Key', autocomplete: 'off', spellcheck: 'false' });
  const curl = el('pre', { tabindex: '0', 'aria-label': 'curl' });
  const answer = el('output', { 'aria-live': 'polite' });
  const quoted = (value) => "'" + value.replaceAll("'", "'\\''") + "'";
  const write = () => {
    const headers = ['Content-Type: application/json', ...(key.value === '' ? [] : ['Idempotency-Key: ' + key.value])];
    curl.textContent = ['curl -X ' + method + ' ' + quoted(url.href), ...headers.map((header) => '-H ' + quoted(header)), '-d ' + quoted(text.value)].join(' \\\n  ');
  };
  const form = el('form', { oninput: write, onsubmit: (event) => { event.preventDefault(); send(method, url, key.value, text.value, answer); } },
    text,
    el('p', { class: 'row' }, key, el('button', { type: 'button', onclick: () => { key.value = newKey(); write(); } }, 'New key')),
    el('p', { class: 'row' }, el('button', { class: 'main' }, 'Send'), el('small', { class: 'quiet' }, 'Ctrl + Enter')));
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  write();
  return el('section', { class: 'try', 'aria-label': 'Try it' }, el('h3', {}, 'Try it'), form, answer,
    el('h3', {}, 'curl', copyButton(curl)), curl);
}

/** Not randomUUID: that is missing where the page is served without TLS. */
const newKey = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function copyButton(source) {
  const button = el('button', { type: 'button', onclick: async () => {
    getSelection().selectAllChildren(source);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    } catch {
      button.textContent = 'Selected';
    }
  } }, 'Copy');
  return button;
}

async function send(method, url, key, body, answer) {
  answer.replaceChildren(el('p', { class: 'quiet' }, 'Sending …'));
  const started = performance.now();
  try {
    const headers = { 'content-type': 'application/json', ...(key === '' ? {} : { 'idempotency-key': key }) };
    const response = await fetch(url, { method, headers, body });
    const text = await response.text();
    const told = [Math.round(performance.now() - started) + ' ms', ...['x-correlation-id', 'idempotency-replayed', 'retry-after'].flatMap((name) =>
      response.headers.has(name) ? [name + ' ' + response.headers.get(name)] : [])];
    answer.replaceChildren(
      el('p', { class: response.ok ? 'good' : 'bad' }, el('b', {}, String(response.status)), ' ', el('small', {}, told.join(' · '))),
      ...(text === '' ? [] : [el('pre', { tabindex: '0' }, pretty(text))]));
  } catch (error) {
    answer.replaceChildren(el('p', { class: 'bad' }, 'No answer: ' + error.message));
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
`;
