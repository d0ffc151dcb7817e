import { schemaScript } from './schema-script.js';
import { tryScript } from './try-script.js';

const pageScript = String.raw`
let api;
let shown;
const byId = (id) => document.getElementById(id);

/** An element; text is always text, never markup. */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

function start() {
  byId('title').textContent = document.title = api.info.title;
  byId('version').textContent = api.info.version;
  byId('filter').addEventListener('input', listOperations);
  window.addEventListener('hashchange', () => {
    showOperation();
    byId('main').focus({ preventScroll: true });
    window.scrollTo(0, 0);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input, textarea')) return;
    event.preventDefault();
    byId('filter').focus();
  });
  listOperations();
  showOperation();
}

function operations() {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
}

function listOperations() {
  const wanted = byId('filter').value.trim().toLowerCase();
  const fits = ({ path, summary, operationId }) =>
    [path, summary, operationId].some((text) => String(text).toLowerCase().includes(wanted));
  const groups = api.tags.map(({ name }) => {
    const members = operations().filter((operation) => operation.tags[0] === name && fits(operation));
    return members.length === 0 ? undefined : [el('h2', {}, name), el('ul', {}, members.map(linkTo))];
  });
  const found = groups.flat(2).filter(Boolean);
  byId('operations').replaceChildren(...(found.length > 0 ? found : [el('p', { class: 'quiet' }, 'Nothing fits.')]));
  markCurrent();
}

function linkTo({ operationId, summary, path }) {
  return el('li', {}, el('a', { href: '#' + operationId }, summary, el('small', {}, path)));
}

function markCurrent() {
  const id = current()?.operationId;
  for (const link of document.querySelectorAll('#operations a')) {
    if (link.getAttribute('href') === '#' + id) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** The one the address names; another fragment, such as that of the skip link, changes nothing. */
function current() {
  const all = operations();
  shown = all.find(({ operationId }) => '#' + operationId === location.hash) ?? shown ?? all[0];
  return shown;
}

function showOperation() {
  markCurrent();
  const operation = current();
  if (operation === undefined) {
    byId('main').replaceChildren(el('p', { class: 'quiet' }, 'This service has no operations yet.'));
    return;
  }
  const { method, path, summary, description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  byId('main').replaceChildren(
    el('header', {}, el('h2', {}, summary), el('p', { class: 'route' }, el('b', {}, method), ' ', el('code', {}, path))),
    ...(description ? [el('p', {}, description)] : []),
    el('div', { class: 'columns' },
      el('div', {},
        ...(body ? [el('h3', {}, 'Body'), schemaView(body.schema)] : []),
        el('h3', {}, 'Answers'), ...Object.entries(responses).map(answerView)),
      tryView(operation, body)),
  );
}
`;

/** Last, when everything it calls is there. */
const startScript = String.raw`
try {
  const response = await fetch('openapi.json');
  api = await response.json();
  start();
} catch (error) {
  byId('main').replaceChildren(el('p', { role: 'alert' }, 'The description of this API could not be read: ' + error.message));
}
`;

/** The script of `/docs`: reads the document and shows one operation at a time. */
export const script = [pageScript, schemaScript, tryScript, startScript].join('');
