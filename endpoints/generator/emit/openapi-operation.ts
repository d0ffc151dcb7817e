import type { TypeModel, WithTypes } from '../model/service-model.js';
import { exampleOf, none } from './example-value.js';
import { leaving, type Schema, schemaOf } from './json-schema.js';

/** `/orders/cancel` belongs to `orders`. */
export const tagOf = (route: string): string => route.split('/').find((part) => part !== '') ?? 'commands';

/** `CreateOrder` → `Create order`. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ');
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(' ');
}

const text: Schema = { type: 'string' };

export const queryParameter = (name: string, description: string, schema = text): Schema => ({
  name,
  in: 'query',
  description,
  schema,
});

export const headerParameter = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  description,
  schema: text,
});

export const pathParameter = (name: string): Schema => ({ name, in: 'path', required: true, schema: text });

export const jsonContent = (schema: Schema, example: unknown): Schema => ({
  'application/json': { schema, ...(example === none ? {} : { example }) },
});

export const traceHeaders = {
  'X-Correlation-Id': { $ref: '#/components/headers/X-Correlation-Id' },
  traceparent: { $ref: '#/components/headers/traceparent' },
};

/** The response of an operation that succeeds. */
export function success(
  model: WithTypes,
  result: TypeModel | null,
  done: string,
  answered: string,
  headers: Schema,
): Schema {
  if (result === null) return { 204: { description: done, headers } };
  const content = jsonContent(schemaOf(result, leaving), exampleOf(model, result));
  return { 200: { description: answered, headers, content } };
}
