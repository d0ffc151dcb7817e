import { nameOf, resolve, type Schema } from './openapi-document.js';
import { el } from './element.js';
import { typeText } from './type-text.js';

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
