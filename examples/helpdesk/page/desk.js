import { Client } from './client.js';
import { follow } from './live.js';

const byId = (id) => document.getElementById(id);
const tickets = new Map();
const baseUrl = new URL('..', location.href).href;
let client = new Client({ baseUrl });
let isAgent = false;
let following = new AbortController();

async function start() {
  const key = sessionStorage.getItem('key');
  client = new Client(key === null ? { baseUrl } : { baseUrl, token: key });
  const me = await client.getMe().catch(() => undefined);
  byId('sign-in').hidden = me !== undefined;
  byId('desk').hidden = me === undefined;
  if (me === undefined) {
    byId('state').textContent = key === null ? '' : 'This key is not accepted.';
    return;
  }
  isAgent = me.isAgent;
  byId('user').textContent = [me.user, me.tenant].filter(Boolean).join(' at ');
  const route = isAgent ? '../tickets' : '../my-tickets';
  const rows = isAgent ? client.tickets : client.myTickets;
  following.abort();
  following = new AbortController();
  await follow(`${route}/live`, {
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    signal: following.signal,
    onEvent: (event) => void take(rows, event),
    onState: (state) => {
      byId('state').textContent = state;
    },
  });
}

/** What a live event means for the list; after `ready` and `reset` the list is read again. */
async function take(rows, { event, data }) {
  if (event === 'ready' || event === 'reset') {
    const { data: listed } = await rows.list({ pageSize: 100 });
    if (event === 'reset') tickets.clear();
    // A change that has arrived meanwhile is newer than the list.
    for (const row of listed) if (!isNewer(tickets.get(row.ticketId), row)) tickets.set(row.ticketId, row);
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
    { type: 'button', onclick: () => send((options) => client.closeTicket({ ticketId }, options)) },
    'Close',
  );
  const form = el('form', {}, text, el('button', {}, 'Answer'), close);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    text.blur();
    void send((options) => client.answerTicket({ ticketId, text: text.value }, options));
  });
  return form;
}

/** Text is always text, never markup. */
function el(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Whether the service has done it. */
async function send(call) {
  const refused = await call({ idempotencyKey: newKey() }).then(
    () => '',
    (error) => error.message,
  );
  byId('problem').textContent = refused;
  return refused === '';
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
  const ticket = Object.fromEntries(new FormData(form));
  if (await send((options) => client.openTicket(ticket, options))) form.reset();
}

await start();
