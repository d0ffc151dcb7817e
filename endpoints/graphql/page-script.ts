export const pageScript = String.raw`
const part = (id) => document.getElementById(id);
const fields = ['query', 'variables', 'headers'];
const typeParts = 'fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }';
const introspection = '{ __schema { mutationType { fields { name description args { name type { ...T } } type { ...T } } } types { kind name description ' +
  'fields { name type { ...T } } inputFields { name defaultValue type { ...T } } enumValues { name } possibleTypes { name } } } } ' + typeParts;
let types = new Map();

const said = (type) =>
  type.kind === 'NON_NULL' ? said(type.ofType) + '!' : type.kind === 'LIST' ? '[' + said(type.ofType) + ']' : type.name;
const named = (type) => (type.ofType ? named(type.ofType) : types.get(type.name));

function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

function headers() {
  const lines = part('headers').value.split('\n').filter((line) => line.includes(':'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]));
}

async function ask(query, variables) {
  const sent = { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json', ...headers() };
  const response = await fetch(location.pathname, { method: 'POST', headers: sent, body: JSON.stringify({ query, variables }) });
  return { response, body: await response.json() };
}

function tell(text, isBad = false) {
  part('status').textContent = text;
  part('status').classList.toggle('bad', isBad);
}

async function run() {
  const started = performance.now();
  try {
    const variables = part('variables').value.trim();
    tell('…');
    const { response, body } = await ask(part('query').value, variables ? JSON.parse(variables) : undefined);
    part('answer').textContent = JSON.stringify(body, null, 2);
    const replayed = response.headers.has('idempotency-replayed') ? ', replayed' : '';
    tell(response.status + ' in ' + Math.round(performance.now() - started) + ' ms' + replayed, Boolean(body.errors) || !response.ok);
  } catch (error) {
    tell(error.message, true);
  }
}

const examples = {
  Uuid: '01890a5d-ac96-774b-bcce-b302099a8057', String: 'text', Int: 1, Long: 1, Float: 1.5, Decimal: '9.99', Boolean: true,
  Timestamp: '2030-01-01T12:00:00Z', Duration: 'PT1H', JSON: {},
};

function exampleOf(type, depth = 0) {
  if (type.kind === 'NON_NULL') return exampleOf(type.ofType, depth);
  if (type.kind === 'LIST') return depth > 6 ? [] : [exampleOf(type.ofType, depth + 1)];
  const { kind, name, enumValues, inputFields } = named(type);
  if (kind === 'ENUM') return enumValues[0].name;
  if (kind !== 'INPUT_OBJECT') return examples[name] ?? '';
  const needed = inputFields.filter((field) => field.type.kind === 'NON_NULL' && field.defaultValue === null);
  return Object.fromEntries(needed.map((field) => [field.name, exampleOf(field.type, depth + 1)]));
}

function selectionOf(type, indent) {
  const { kind, fields: members } = named(type);
  if (kind === 'UNION') return ' { __typename }';
  if (kind !== 'OBJECT') return '';
  const inner = indent + '  ';
  if (inner.length > 10) return ' { __typename }';
  return ' {\n' + members.map((field) => inner + field.name + selectionOf(field.type, inner)).join('\n') + '\n' + indent + '}';
}

function use({ name, args: [argument], type }) {
  const title = name[0].toUpperCase() + name.slice(1);
  const declared = argument ? '($' + argument.name + ': ' + said(argument.type) + ')' : '';
  const given = argument ? '(' + argument.name + ': $' + argument.name + ')' : '';
  part('query').value = 'mutation ' + title + declared + ' {\n  ' + name + given + selectionOf(type, '  ') + '\n}\n';
  part('variables').value = argument ? JSON.stringify({ [argument.name]: exampleOf(argument.type) }, null, 2) : '';
  part('query').focus();
  remember();
}

function mutationItem(field) {
  const button = element('button', field.name);
  button.type = 'button';
  button.addEventListener('click', () => use(field));
  const about = element('p', field.description ?? '');
  about.className = 'about';
  return element('li', '', button, ...(field.description ? [about] : []));
}

function typeItem(type) {
  const members = type.fields ?? type.inputFields ?? type.enumValues ?? type.possibleTypes ?? [];
  const lines = members.map(({ name, type: of, defaultValue }) =>
    element('code', name + (of ? ': ' + said(of) : '') + (defaultValue ? ' = ' + defaultValue : '')));
  const about = type.description ? [Object.assign(element('p', type.description), { className: 'about' })] : [];
  return element('details', '', element('summary', type.name), ...about, ...lines);
}

async function explore() {
  try {
    const { body } = await ask(introspection);
    const { mutationType, types: all } = body.data.__schema;
    types = new Map(all.map((type) => [type.name, type]));
    const own = all.filter(({ name }) => !name.startsWith('__') && !['Query', 'Mutation', 'String', 'Boolean', 'Int', 'Float'].includes(name));
    part('mutations').replaceChildren(...mutationType.fields.map(mutationItem));
    part('types').replaceChildren(...own.map(typeItem));
    if (!part('query').value) use(mutationType.fields[0]);
    tell('');
  } catch {
    tell('The schema cannot be read', true);
  }
}

function remember() {
  for (const id of fields) sessionStorage.setItem('graphql.' + id, part(id).value);
}

for (const id of fields) part(id).value = sessionStorage.getItem('graphql.' + id) ?? '';
addEventListener('input', remember);
addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run();
  }
});
part('run').addEventListener('click', run);
part('reload').addEventListener('click', explore);
explore();
`;
