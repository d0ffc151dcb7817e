import { type ProblemCode, problems } from '../../../contracts/problems.js';
import type { Schema } from './json-schema.js';

interface ProblemResponse {
  readonly name: string;
  readonly codes: readonly [ProblemCode, ...ProblemCode[]];
  readonly retry?: true;
  readonly limit?: true;
}

/** What a command's route may refuse by itself; the codes of one entry share a status. */
const responses: readonly ProblemResponse[] = [
  { name: 'BadRequest', codes: ['malformed-json', 'malformed-request', 'invalid-header'] },
  { name: 'Unauthenticated', codes: ['unauthenticated'] },
  { name: 'AccessDenied', codes: ['access-denied'] },
  { name: 'RequestTimeout', codes: ['request-timeout'] },
  { name: 'Conflict', codes: ['stream-conflict', 'duplicate-in-flight'], retry: true },
  { name: 'BodyTooLarge', codes: ['body-too-large', 'event-too-large'] },
  { name: 'UnsupportedMediaType', codes: ['unsupported-media-type'] },
  { name: 'Invalid', codes: ['invalid-command', 'idempotency-key-reused', 'idempotency-needs-identity'] },
  { name: 'RateLimited', codes: ['rate-limited'], retry: true, limit: true },
  { name: 'HeadersTooLarge', codes: ['headers-too-large'] },
  { name: 'Failed', codes: ['unexpected', 'after-hook-failed', 'missing-upcaster'] },
  {
    name: 'Unavailable',
    codes: ['overloaded', 'draining', 'store-unavailable', 'outcome-unknown', 'keys-unavailable'],
    retry: true,
  },
  { name: 'DeadlineExceeded', codes: ['deadline-exceeded'] },
];

/** What a query may refuse in addition. */
const readResponses: readonly ProblemResponse[] = [
  { name: 'InvalidQuery', codes: ['invalid-query'] },
  { name: 'NotFound', codes: ['not-found'] },
  { name: 'NotAcceptable', codes: ['not-acceptable'] },
];

const other = 'Problem';

/** `components.responses`: one for each status, and one for the problems of handlers. */
export const problemComponents = (): Record<string, Schema> => ({
  ...Object.fromEntries(
    [...responses, ...readResponses].map((response) => [response.name, componentOf(response)]),
  ),
  [other]: {
    description: 'Any other problem, with its own code and status.',
    headers: headersOf({}),
    content: { [mediaType]: { schema: problemRef } },
  },
});

/** The responses of an operation, by status. */
export const problemResponses = (impossible: readonly ProblemCode[] = []): Record<string, Schema> => ({
  ...Object.fromEntries(
    responses.filter(({ codes: [first] }) => !impossible.includes(first)).map(referenceTo),
  ),
  default: { $ref: `#/components/responses/${other}` },
});

/** The responses with these codes, by status. */
export const problemReferences = (...codes: readonly ProblemCode[]): Record<string, Schema> =>
  Object.fromEntries(
    [...responses, ...readResponses]
      .filter((response) => response.codes.some((code) => codes.includes(code)))
      .map(referenceTo),
  );

const referenceTo = ({ name, codes: [first] }: ProblemResponse) => [
  problems[first].status,
  { $ref: `#/components/responses/${name}` },
];

export const problemName = 'ProblemDetails';

/** RFC 9457. */
export const problemSchema: Schema = {
  type: 'object',
  description: 'A problem (RFC 9457).',
  properties: {
    type: { type: 'string', format: 'uri', description: '`urn:svc:problem:` followed by the code.' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    instance: { type: 'string' },
    correlationId: { type: 'string' },
    errors: {
      type: 'array',
      description: 'The faults of the body or of the query, at most 100.',
      maxItems: 100,
      items: {
        type: 'object',
        properties: {
          path: { type: 'string', format: 'json-pointer' },
          message: { type: 'string' },
        },
        required: ['path', 'message'],
      },
    },
    errorCount: {
      type: 'integer',
      description: 'The number of all faults, when not all are listed.',
    },
    committed: {
      enum: [true, 'unknown'],
      description: 'Present when the command was carried out, or may have been.',
    },
    cause: { type: 'string', description: 'The code of the problem in a step after the command.' },
  },
  required: ['type', 'title', 'status', 'instance', 'correlationId'],
};

const mediaType = 'application/problem+json';
const problemRef: Schema = { $ref: `#/components/schemas/${problemName}` };

function componentOf({ codes, ...headers }: ProblemResponse): Schema {
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join('\n\n'),
    headers: headersOf(headers),
    content: {
      [mediaType]: {
        schema: problemRef,
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

const headersOf = ({ retry, limit }: Pick<ProblemResponse, 'retry' | 'limit'>): Schema =>
  Object.fromEntries(
    [
      'X-Correlation-Id',
      'traceparent',
      ...(retry ? ['Retry-After'] : []),
      ...(limit ? ['RateLimit-Policy', 'RateLimit'] : []),
    ].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

const more: Partial<Record<ProblemCode, Schema>> = {
  'invalid-command': { errors: [{ path: '/name', message: 'is required' }] },
  'after-hook-failed': { committed: true },
  'outcome-unknown': { committed: 'unknown' },
};

const exampleOf = (code: ProblemCode): Schema => ({
  type: `urn:svc:problem:${code}`,
  title: problems[code].title,
  status: problems[code].status,
  instance: '/',
  correlationId: '01980d2e-7c5f-7aaa-8c1d-2f6f0a1b9c3d',
  ...more[code],
});
