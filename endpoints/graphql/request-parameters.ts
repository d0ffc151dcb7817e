import { isObject } from '../../contracts/codec-scalars.js';
import { Problem } from '../../contracts/problems.js';
import { parseBody } from '../http/read-json-body.js';

/** A well-formed GraphQL-over-HTTP request. */
export interface Parameters {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

export function parametersOfBody(body: unknown): Parameters {
  if (body === undefined) throw new Problem('malformed-json', { detail: 'The body is empty.' });
  if (Array.isArray(body)) throw malformed('Send one request at a time: batches are not supported.');
  if (!isObject(body)) throw malformed('The body must be an object with a query.');
  const { query, operationName, variables, extensions } = body;
  if (typeof query !== 'string') throw malformed('query must be a string.');
  const name = operationName ?? undefined;
  if (name !== undefined && typeof name !== 'string') throw malformed('operationName must be a string.');
  if (!isObject(extensions ?? {})) throw malformed('extensions must be an object.');
  const values = variables ?? undefined;
  if (values !== undefined && !isObject(values)) throw malformed('variables must be an object.');
  return { query, operationName: name, variables: values };
}

/** In a URL, objects are JSON and an empty parameter counts as absent. */
export function parametersOfUrl(search: unknown): Parameters {
  const { query, operationName, variables, extensions } = search as Readonly<Record<string, unknown>>;
  return parametersOfBody({
    query,
    operationName: operationName === '' ? undefined : operationName,
    variables: jsonOf(variables),
    extensions: jsonOf(extensions),
  });
}

function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (text === '') return undefined;
  try {
    return parseBody(Buffer.from(text));
  } catch (cause) {
    throw malformed('variables and extensions must be JSON.', cause);
  }
}

const malformed = (detail: string, cause?: unknown): Problem =>
  new Problem('malformed-request', { detail, cause });
