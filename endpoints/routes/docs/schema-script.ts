/** The part of the script that shows schemas and answers; types may be recursive, so what is inside is made when it is opened. */
export const schemaScript = String.raw`
function resolve(node) {
  if (node?.$ref === undefined) return node ?? {};
  const { $ref, ...others } = node;
  const target = $ref.slice(2).split('/').reduce((at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')], api);
  return { ...resolve(target), ...others };
}

const nameOf = (schema) => schema.$ref?.split('/').at(-1);

/** What stands behind a schema: its properties, its items', or its variants'. */
function schemaView(schema) {
  const { properties, required = [], items, additionalProperties, oneOf, anyOf, type } = resolve(schema);
  if (properties !== undefined)
    return Object.keys(properties).length === 0
      ? el('p', { class: 'quiet' }, 'An empty object.')
      : el('dl', {}, Object.entries(properties).map(([name, inner]) => fieldView(name, inner, required.includes(name))));
  if (items !== undefined) return schemaView(items);
  if (typeof additionalProperties === 'object') return schemaView(additionalProperties);
  const variants = (oneOf ?? anyOf ?? []).filter(hasInside);
  if (variants.length === 1) return schemaView(variants[0]);
  if (variants.length > 1) return el('div', {}, variants.map((variant) => inside(nameOf(variant) ?? 'variant', variant)));
  return el('p', { class: 'quiet' }, typeText(schema));
}

function hasInside(schema) {
  const { properties, items, additionalProperties, oneOf, anyOf } = resolve(schema);
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return properties !== undefined || (inner !== undefined && hasInside(inner)) || (oneOf ?? anyOf ?? []).some(hasInside);
}

/** Opened, and only then made: types may be recursive. */
function inside(title, schema) {
  const details = el('details', {}, el('summary', {}, title));
  details.addEventListener('toggle', () => details.append(schemaView(schema)), { once: true });
  return details;
}

function fieldView(name, schema, isRequired) {
  const { description, default: initial } = resolve(schema);
  const note = isRequired ? el('em', {}, 'required') : initial === undefined ? undefined : el('small', {}, 'default ' + JSON.stringify(initial));
  return el('div', {},
    el('dt', {}, el('code', {}, name), note),
    el('dd', {}, el('span', {}, typeText(schema)),
      description ? el('p', {}, description) : undefined),
    hasInside(schema) ? el('dd', { class: 'inside' }, inside('fields', schema)) : undefined);
}

function typeText(schema) {
  const { type, format, enum: values, items, additionalProperties, oneOf, anyOf } = resolve(schema);
  const choices = oneOf ?? anyOf;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (choices !== undefined) return choices.map((choice) => nameOf(choice) ?? typeText(choice)).join(' | ');
  if (items !== undefined) return 'list of ' + (nameOf(items) ?? typeText(items)) + limits(schema);
  if (typeof additionalProperties === 'object') return 'map of ' + (nameOf(additionalProperties) ?? typeText(additionalProperties));
  if (nameOf(schema) !== undefined) return nameOf(schema);
  return (type === undefined ? 'any JSON' : [type].flat().join(' | ')) + (format ? ' (' + format + ')' : '') + limits(schema);
}

const wide = (number) => Math.abs(number) >= 2147483647;

function limits(schema) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = resolve(schema);
  const told = [
    minimum === undefined || wide(minimum) ? undefined : '≥ ' + minimum,
    maximum === undefined || wide(maximum) ? undefined : '≤ ' + maximum,
    minLength === undefined ? undefined : 'at least ' + minLength + ' long',
    maxLength === undefined ? undefined : 'at most ' + maxLength + ' long',
    minItems === undefined ? undefined : 'at least ' + minItems,
    maxItems === undefined ? undefined : 'at most ' + maxItems,
    pattern === undefined || format !== undefined ? undefined : pattern,
  ].filter((text) => text !== undefined);
  return told.length === 0 ? '' : ', ' + told.join(', ');
}

function answerView([status, response]) {
  const { description, content } = resolve(response);
  const schema = Object.values(content ?? {})[0]?.schema;
  const lines = description.split('\n\n').map((line) => el('p', {}, codeIn(line)));
  const isGood = Number(status) < 300;
  const details = el('details', { class: isGood ? 'good' : undefined },
    el('summary', {}, el('b', {}, status), ' ', titleOf(status, response)), lines);
  if (schema !== undefined) details.addEventListener('toggle', () => details.append(schemaView(schema)), { once: true });
  details.open = isGood;
  return details;
}

const titleOf = (status, response) =>
  Number(status) < 300 ? 'Done' : (nameOf(response) ?? status).replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** Backquotes, as far as our own descriptions use them. */
const codeIn = (line) => line.split('\u0060').map((part, index) => (index % 2 === 1 ? el('code', {}, part) : part));
`;
