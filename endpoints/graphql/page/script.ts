import { eventsIn } from './event-stream.js';
import { exampleCall, type Types } from './example.js';
import {
  type Field,
  type Introspected,
  introspection,
  type Keyword,
  membersOf,
  typeText,
  type SchemaType,
} from './schema.js';

interface Answer {
  readonly data?: { readonly schema: Introspected };
  readonly errors?: unknown;
}

interface Sent {
  readonly variables?: unknown;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

const part = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const fields = {
  query: part('query') as HTMLTextAreaElement,
  variables: part('variables') as HTMLTextAreaElement,
  headers: part('headers') as HTMLTextAreaElement,
} as const;
let types: Types = new Map();
let running: AbortController | undefined;

function element(name: string, text: string, ...children: readonly Node[]): HTMLElement {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

function headers(): Readonly<Record<string, string>> {
  const lines = fields.headers.value.split('\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

const single = 'application/graphql-response+json, application/json';

function send(query: string, { variables, accept = single, signal }: Sent = {}): Promise<Response> {
  const sent = { 'content-type': 'application/json', accept, ...headers() };
  const body = JSON.stringify({ query, variables });
  return fetch(location.pathname, { method: 'POST', headers: sent, body, signal: signal ?? null });
}

function showStatus(text: string, isBad = false): void {
  const status = part('status');
  status.textContent = text;
  status.classList.toggle('bad', isBad);
}

const showAnswer = (shown: unknown): void => {
  part('answer').textContent = JSON.stringify(shown, null, 2);
};

async function run(): Promise<void> {
  running?.abort();
  const { signal } = (running = new AbortController());
  const query = fields.query.value;
  try {
    const text = fields.variables.value.trim();
    showStatus('…');
    const variables: unknown = text ? JSON.parse(text) : undefined;
    // A query that looks like a subscription is answered in a stream as well.
    if (/^\s*subscription\b/m.test(query)) await follow(query, variables, signal);
    else await answer(query, variables, signal);
  } catch (error) {
    if (!signal.aborted) showStatus((error as Error).message, true);
  }
}

async function answer(query: string, variables: unknown, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  const response = await send(query, { variables, signal });
  const body = (await response.json()) as Answer;
  showAnswer(body);
  const replayed = response.headers.has('idempotency-replayed') ? ', replayed' : '';
  const took = Math.round(performance.now() - started);
  showStatus(`${response.status} in ${took} ms${replayed}`, Boolean(body.errors) || !response.ok);
}

const mostShown = 100;

/** Shows the results of a subscription, the newest first, until it ends. */
async function follow(query: string, variables: unknown, signal: AbortSignal): Promise<void> {
  const results: Answer[] = [];
  let [count, isBad] = [0, false];
  showAnswer(results);
  part('stop').hidden = false;
  try {
    const response = await send(query, { variables, accept: 'text/event-stream', signal });
    // Refused before a stream was opened.
    if (!response.ok) {
      showAnswer(await response.json());
      return showStatus(String(response.status), true);
    }
    for await (const { name, data } of eventsIn(response)) {
      if (name === 'complete') return showStatus(`${resultsText(count)}, complete`, isBad);
      const result = JSON.parse(data) as Answer;
      results.unshift(result);
      results.splice(mostShown);
      isBad = Boolean(result.errors);
      showAnswer(results);
      showStatus(`${resultsText(++count)}, following`, isBad);
    }
    showStatus(`${resultsText(count)}, the connection is closed`, true);
  } finally {
    // Unless another one was started meanwhile.
    if (running?.signal === signal) {
      part('stop').hidden = true;
      if (signal.aborted) showStatus(`${resultsText(count)}, stopped`, isBad);
    }
  }
}

const resultsText = (count: number): string => (count === 1 ? '1 result' : `${count} results`);

function use(keyword: Keyword, field: Field): void {
  const { query, variables } = exampleCall(keyword, field, types);
  fields.query.value = query;
  fields.variables.value = variables;
  fields.query.focus();
  remember();
}

const itemOf =
  (keyword: Keyword) =>
  (field: Field): HTMLElement => {
    const button = element('button', field.name);
    button.setAttribute('type', 'button');
    button.addEventListener('click', () => use(keyword, field));
    return element('li', '', button, ...about(field.description ?? ''));
  };

function typeItem(type: SchemaType): HTMLElement {
  const lines = membersOf(type).map(({ name, type: of, defaultValue }) =>
    element('code', `${name}${of ? `: ${typeText(of)}` : ''}${defaultValue ? ` = ${defaultValue}` : ''}`),
  );
  return element('details', '', element('summary', type.name), ...about(type.description ?? ''), ...lines);
}

function about(description: string): readonly HTMLElement[] {
  if (!description) return [];
  const paragraph = element('p', description);
  paragraph.className = 'about';
  return [paragraph];
}

/** A list without items is not shown, nor is its heading. */
function list(id: string, items: readonly HTMLElement[]): void {
  const shown = part(id);
  shown.replaceChildren(...items);
  for (const each of [shown, shown.previousElementSibling as HTMLElement]) each.hidden = items.length === 0;
}

const builtIn = ['Query', 'Mutation', 'Subscription', 'String', 'Boolean', 'Int', 'Float', 'ID'];

async function explore(): Promise<void> {
  try {
    const { data } = (await (await send(introspection)).json()) as Answer;
    const schema = data?.schema;
    if (schema === undefined) return showStatus(unreadable, true);
    types = new Map(schema.types.map((type) => [type.name, type]));
    const own = schema.types.filter(({ name }) => !name.startsWith('__') && !builtIn.includes(name));
    const mutations = schema.mutationType?.fields ?? [];
    const queries = schema.queryType.fields;
    list('mutations', mutations.map(itemOf('mutation')));
    list('queries', queries.map(itemOf('query')));
    list('subscriptions', (schema.subscriptionType?.fields ?? []).map(itemOf('subscription')));
    part('types').replaceChildren(...own.map(typeItem));
    const [mutation] = mutations;
    // The first one is the name of the runtime.
    const query = queries[1] ?? queries[0];
    if (fields.query.value) return showStatus('');
    if (mutation !== undefined) use('mutation', mutation);
    else if (query !== undefined) use('query', query);
    showStatus('');
  } catch {
    showStatus(unreadable, true);
  }
}

const unreadable = 'The schema cannot be read';

function remember(): void {
  for (const [id, { value }] of Object.entries(fields))
    ifStored(() => sessionStorage.setItem(`graphql.${id}`, value));
}

/** A browser may block its storage, or have filled it: the page works without it. */
function ifStored<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

for (const [id, field] of Object.entries(fields))
  field.value = ifStored(() => sessionStorage.getItem(`graphql.${id}`)) ?? '';
addEventListener('input', remember);
addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void run();
  }
});
part('run').addEventListener('click', () => void run());
part('stop').addEventListener('click', () => running?.abort());
part('reload').addEventListener('click', () => void explore());
void explore();
