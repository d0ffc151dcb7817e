import { answerView } from './answer-view.js';
import {
  addressParametersOf,
  type ApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  readDocument,
  type Schema,
} from './openapi-document.js';
import { byId, el } from './element.js';
import { schemaView } from './schema-view.js';
import { tryView } from './try-view.js';

const main = byId('main');
const filter = byId('filter') as HTMLInputElement;
let shown: Operation | undefined;

function start(api: ApiDocument): void {
  const operations = operationsOf(api);
  const list = (): void => listOperations(api, operations);
  byId('title').textContent = document.title = api.info.title;
  byId('version').textContent = api.info.version;
  filter.addEventListener('input', list);
  window.addEventListener('hashchange', () => {
    showOperation(operations);
    main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || (event.target as Element).matches('input, textarea')) return;
    event.preventDefault();
    filter.focus();
  });
  list();
  showOperation(operations);
}

function listOperations({ tags }: ApiDocument, operations: readonly Operation[]): void {
  const wanted = filter.value.trim().toLowerCase();
  const fits = ({ path, summary, operationId }: Operation): boolean =>
    [path, summary, operationId].some((text) => String(text).toLowerCase().includes(wanted));
  const isIn = (name: string, operation: Operation): boolean => operation.tags[0] === name;
  const hasCommand = (name: string): boolean => operations.some((one) => isIn(name, one) && isCommand(one));
  const names = tags.map(({ name }) => name);
  const commandsFirst = [...names.filter(hasCommand), ...names.filter((name) => !hasCommand(name))];
  const groups = commandsFirst.flatMap((name) => {
    const members = operations.filter((operation) => isIn(name, operation) && fits(operation));
    return members.length === 0 ? [] : [el('h2', {}, name), el('ul', {}, members.map(linkTo))];
  });
  const found = groups.length > 0 ? groups : [el('p', { class: 'quiet' }, 'No operation matches.')];
  byId('operations').replaceChildren(...found);
  markCurrent(operations);
}

const linkTo = ({ operationId, summary, path }: Operation): HTMLElement =>
  el('li', {}, el('a', { href: `#${operationId}` }, summary, el('small', {}, path)));

function markCurrent(operations: readonly Operation[]): void {
  const id = current(operations)?.operationId;
  for (const link of document.querySelectorAll('#operations a')) {
    if (link.getAttribute('href') === `#${String(id)}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

const isCommand = ({ method }: Operation): boolean => method === 'POST';

/** The operation in the URL fragment, at first a command; other fragments, such as that of the skip link, change nothing. */
function current(operations: readonly Operation[]): Operation | undefined {
  shown =
    operations.find(({ operationId }) => `#${operationId}` === location.hash) ??
    shown ??
    operations.find(isCommand) ??
    operations[0];
  return shown;
}

function showOperation(operations: readonly Operation[]): void {
  markCurrent(operations);
  const operation = current(operations);
  if (operation === undefined) {
    main.replaceChildren(el('p', { class: 'quiet' }, 'This service has no operations yet.'));
    return;
  }
  const { method, path, summary, description, requestBody, responses, 'x-permission': needed } = operation;
  const body = requestBody?.content['application/json'];
  const permission = needed === undefined ? [] : [' ', el('small', { class: 'quiet' }, `needs ${needed}`)];
  const route = el('p', { class: 'route' }, el('b', {}, method), ' ', el('code', {}, path), permission);
  const parameters = addressParametersOf(operation);
  const details = el(
    'div',
    {},
    ...(parameters.length === 0 ? [] : [el('h3', {}, 'Parameters'), schemaView(objectOf(parameters))]),
    ...(body === undefined ? [] : [el('h3', {}, 'Body'), schemaView(body.schema)]),
    el('h3', {}, 'Answers'),
    Object.entries(responses).map(answerView),
  );
  main.replaceChildren(
    el('header', {}, el('h2', {}, summary), route),
    ...(description ? [el('p', {}, description)] : []),
    el('div', { class: 'columns' }, details, tryView(operation, body)),
  );
}

/** Parameters as an object schema, to show them like a body. */
const objectOf = (parameters: readonly Parameter[]): Schema => ({
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description ? { description } : {}) },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

try {
  start(await readDocument());
} catch (error) {
  const why = `The OpenAPI document could not be read: ${(error as Error).message}`;
  main.replaceChildren(el('p', { role: 'alert' }, why));
}
