import { nameOf, resolve, type Schema } from './openapi-document.js';
import { el } from './element.js';

/** The members of a schema: its properties, those of its items, or its variants. */
export function schemaView(schema: Schema): HTMLElement {
  const { properties, required = [], items, additionalProperties, oneOf, anyOf } = resolve(schema);
  if (properties !== undefined) return propertiesView(properties, required);
  if (items !== undefined) return schemaView(items);
  if (typeof additionalProperties === 'object') return schemaView(additionalProperties);
  const variants = (oneOf ?? anyOf ?? []).filter(hasInside);
  const [only] = variants;
  if (only !== undefined && variants.length === 1) return schemaView(only);
  if (only === undefined) return el('p', { class: 'quiet' }, typeText(schema));
  return el(
    'div',
    {},
    variants.map((variant) => inside(nameOf(variant) ?? 'variant', variant)),
  );
}

function propertiesView(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): HTMLElement {
  const fields = Object.entries(properties);
  if (fields.length === 0) return el('p', { class: 'quiet' }, 'An empty object.');
  return el(
    'dl',
    {},
    fields.map(([name, inner]) => fieldView(name, inner, required.includes(name))),
  );
}

function hasInside(schema: Schema): boolean {
  const { properties, items, additionalProperties, oneOf, anyOf } = resolve(schema);
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (properties !== undefined || (inner !== undefined && hasInside(inner))) return true;
  return (oneOf ?? anyOf ?? []).some(hasInside);
}

/** Rendered only when opened: types may be recursive. */
function inside(title: string, schema: Schema): HTMLElement {
  const details = el('details', {}, el('summary', {}, title));
  details.addEventListener('toggle', () => details.append(schemaView(schema)), { once: true });
  return details;
}

function fieldView(name: string, schema: Schema, isRequired: boolean): HTMLElement {
  const { description, default: initial } = resolve(schema);
  const preset = initial === undefined ? undefined : el('small', {}, `default ${JSON.stringify(initial)}`);
  return el(
    'div',
    {},
    el('dt', {}, el('code', {}, name), isRequired ? el('em', {}, 'required') : preset),
    el('dd', {}, el('span', {}, typeText(schema)), description ? el('p', {}, description) : undefined),
    hasInside(schema) ? el('dd', { class: 'inside' }, inside('fields', schema)) : undefined,
  );
}

/** The type of a schema in one line. */
function typeText(schema: Schema): string {
  const { type, format, enum: values, items, additionalProperties, oneOf, anyOf } = resolve(schema);
  const choices = oneOf ?? anyOf;
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (choices !== undefined) return choices.map(shortText).join(' | ');
  if (items !== undefined) return `list of ${shortText(items)}${limits(schema)}`;
  if (typeof additionalProperties === 'object') return `map of ${shortText(additionalProperties)}`;
  const named = nameOf(schema);
  if (named !== undefined) return named;
  const known = type === undefined ? 'any JSON' : [type].flat().join(' | ');
  return `${known}${format ? ` (${format})` : ''}${limits(schema)}`;
}

const shortText = (schema: Schema): string => nameOf(schema) ?? typeText(schema);

const wide = (number: number): boolean => Math.abs(number) >= 2147483647;

function limits(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = resolve(schema);
  const parts = [
    minimum === undefined || wide(minimum) ? undefined : `≥ ${minimum}`,
    maximum === undefined || wide(maximum) ? undefined : `≤ ${maximum}`,
    minLength === undefined ? undefined : `at least ${minLength} long`,
    maxLength === undefined ? undefined : `at most ${maxLength} long`,
    minItems === undefined ? undefined : `at least ${minItems}`,
    maxItems === undefined ? undefined : `at most ${maxItems}`,
    pattern === undefined || format !== undefined ? undefined : pattern,
  ].filter((text) => text !== undefined);
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`;
}
