import { exampleCall, type Types } from './example.js';
import {
  type Field,
  type Introspected,
  introspection,
  membersOf,
  typeText,
  type SchemaType,
} from './schema.js';

interface Answer {
  readonly data?: { readonly schema: Introspected };
  readonly errors?: unknown;
}

const part = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const fields = {
  query: part('query') as HTMLTextAreaElement,
  variables: part('variables') as HTMLTextAreaElement,
  headers: part('headers') as HTMLTextAreaElement,
} as const;
let types: Types = new Map();

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

async function request(query: string, variables?: unknown) {
  const sent = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json',
    ...headers(),
  };
  const body = JSON.stringify({ query, variables });
  const response = await fetch(location.pathname, { method: 'POST', headers: sent, body });
  return { response, body: (await response.json()) as Answer };
}

function showStatus(text: string, isBad = false): void {
  const status = part('status');
  status.textContent = text;
  status.classList.toggle('bad', isBad);
}

async function run(): Promise<void> {
  const started = performance.now();
  try {
    const variables = fields.variables.value.trim();
    showStatus('…');
    const parsed: unknown = variables ? JSON.parse(variables) : undefined;
    const { response, body } = await request(fields.query.value, parsed);
    part('answer').textContent = JSON.stringify(body, null, 2);
    const replayed = response.headers.has('idempotency-replayed') ? ', replayed' : '';
    const took = Math.round(performance.now() - started);
    showStatus(`${response.status} in ${took} ms${replayed}`, Boolean(body.errors) || !response.ok);
  } catch (error) {
    showStatus((error as Error).message, true);
  }
}

function use(keyword: 'query' | 'mutation', field: Field): void {
  const { query, variables } = exampleCall(keyword, field, types);
  fields.query.value = query;
  fields.variables.value = variables;
  fields.query.focus();
  remember();
}

const itemOf =
  (keyword: 'query' | 'mutation') =>
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

const builtIn = ['Query', 'Mutation', 'String', 'Boolean', 'Int', 'Float', 'ID'];

async function explore(): Promise<void> {
  try {
    const { body } = await request(introspection);
    const schema = body.data?.schema;
    if (schema === undefined) return showStatus(unreadable, true);
    types = new Map(schema.types.map((type) => [type.name, type]));
    const own = schema.types.filter(({ name }) => !name.startsWith('__') && !builtIn.includes(name));
    const mutations = schema.mutationType?.fields ?? [];
    const queries = schema.queryType.fields;
    part('mutations').replaceChildren(...mutations.map(itemOf('mutation')));
    part('queries').replaceChildren(...queries.map(itemOf('query')));
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
  for (const [id, { value }] of Object.entries(fields)) sessionStorage.setItem(`graphql.${id}`, value);
}

for (const [id, field] of Object.entries(fields)) field.value = sessionStorage.getItem(`graphql.${id}`) ?? '';
addEventListener('input', remember);
addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void run();
  }
});
part('run').addEventListener('click', () => void run());
part('reload').addEventListener('click', () => void explore());
void explore();
