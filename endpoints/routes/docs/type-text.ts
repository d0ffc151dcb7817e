import { nameOf, resolve, type Schema } from './openapi-document.js';

/** The type of a schema in one line. */
export function typeText(schema: Schema): string {
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
