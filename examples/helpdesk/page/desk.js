import { follow } from './live.js';

const byId = (id) => document.getElementById(id);
const tickets = new Map();
let headers = {};
let isAgent = false;
let following = new AbortController();

async function start() {
  const key = sessionStorage.getItem('key');
  headers = key === null ? {} : { authorization: `Bearer ${key}` };
  const answer = await fetch('../me', { headers });
  byId('sign-in').hidden = answer.ok;
  byId('desk').hidden = !answer.ok;
  if (!answer.ok) {
    byId('state').textContent = key === null ? '' : 'This key is not accepted.';
    return;
  }
  const me = await answer.json();
  isAgent = me.isAgent;
  byId('user').textContent = [me.user, me.tenant].filter(Boolean).join(' at ');
  const route = isAgent ? '../tickets' : '../my-tickets';
  following.abort();
  following = new AbortController();
  await follow(`${route}/live`, {
    headers,
    signal: following.signal,
    onEvent: (event) => void take(route, event),
    onState: (state) => {
      byId('state').textContent = state;
    },
  });
}

/** What a live event means for the list; after `ready` and `reset` the list is read again. */
async function take(route, { event, data }) {
  if (event === 'ready' || event === 'reset') {
    const { data: rows } = await (await fetch(`${route}?pageSize=100`, { headers })).json();
    if (event === 'reset') tickets.clear();
    // A change that has arrived meanwhile is newer than the list.
    for (const row of rows) if (!isNewer(tickets.get(row.ticketId), row)) tickets.set(row.ticketId, row);
  }
  if (event === 'changed') tickets.set(data.id, data.row);
  if (event === 'gone') tickets.delete(data.id);
  show();
}

const isNewer = (known, row) => known !== undefined && known.updatedAt > row.updatedAt;

function show() {
  const typed = document.activeElement?.closest('li')?.dataset.id;
  const newest = [...tickets.values()].toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  const kept = new Map([...byId('tickets').children].map((item) => [item.dataset.id, item]));
  byId('tickets').replaceChildren(
    // What the user is typing stays.
    ...newest.map((ticket) => (ticket.ticketId === typed ? kept.get(typed) : itemOf(ticket))),
  );
}

function itemOf({ ticketId, subject, customer, status, text }) {
  const item = el('li', {}, el('strong', {}, subject), ' ', el('span', { className: 'status' }, status));
  item.dataset.id = ticketId;
  item.append(el('p', {}, text), el('small', {}, customer));
  if (isAgent && status !== 'closed') item.append(answerForm(ticketId));
  return item;
}

function answerForm(ticketId) {
  const text = el('input', { required: true, ariaLabel: 'Answer', autocomplete: 'off' });
  const close = el(
    'button',
    { type: 'button', onclick: () => post('../tickets/close', { ticketId }) },
    'Close',
  );
  const form = el('form', {}, text, el('button', {}, 'Answer'), close);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    text.blur();
    void post('../tickets/answer', { ticketId, text: text.value });
  });
  return form;
}

/** Text is always text, never markup. */
function el(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

async function post(url, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': newKey() },
    body: JSON.stringify(body),
  });
  const { title, detail } = answer.ok ? {} : await answer.json();
  byId('problem').textContent = answer.ok ? '' : (detail ?? title);
  return answer.ok;
}

const newKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16)).join('-');

byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem('key', new FormData(event.target).get('key'));
  void start();
});

byId('open').addEventListener('submit', (event) => {
  event.preventDefault();
  void openTicket(event.target);
});

async function openTicket(form) {
  if (await post('../tickets', Object.fromEntries(new FormData(form)))) form.reset();
}

await start();
