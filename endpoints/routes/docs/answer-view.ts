import { nameOf, resolve, type ResponseObject } from './openapi-document.js';
import { el } from './element.js';
import { schemaView } from './schema-view.js';

/** One answer of an operation, by its status. */
export function answerView([status, response]: readonly [string, ResponseObject]): HTMLElement {
  const { description = '', content = {} } = resolve(response);
  const schema = Object.values(content)[0]?.schema;
  const isGood = Number(status) < 300;
  const details = el(
    'details',
    { class: isGood ? 'good' : undefined },
    el('summary', {}, el('b', {}, status), ' ', titleOf(status, response)),
    description.split('\n\n').map((line) => el('p', {}, codeIn(line))),
  );
  if (schema !== undefined)
    details.addEventListener('toggle', () => details.append(schemaView(schema)), { once: true });
  details.open = isGood;
  return details;
}

const titleOf = (status: string, response: ResponseObject): string =>
  Number(status) < 300
    ? 'Done'
    : (nameOf(response) ?? status).replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** Renders backquotes, as far as our own descriptions use them. */
const codeIn = (line: string): (Node | string)[] =>
  line.split('`').map((part, index) => (index % 2 === 1 ? el('code', {}, part) : part));
