import { Problem } from '../../../contracts/problems.js';
import type { CommandModel, ServiceModel, TypeModel } from '../model.js';
import { exampleOf, none } from './example-value.js';
import { arriving, definitionsOf, leaving, type Schema, schemaOf } from './json-schema.js';
import { type PathOperation, queryPaths } from './openapi-queries.js';
import { problemComponents, problemName, problemResponses, problemSchema } from './openapi-problems.js';
import { bodyName } from './reach.js';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** The OpenAPI 3.1 document of a service, as text that is the same for the same model. */
export function emitOpenApi(model: ServiceModel, info: OpenApiInfo): string {
  const paths = inOrder([...commandPaths(model), ...queryPaths(model)]);
  const tags = [...new Set(Object.keys(paths).map(tagOf))].sort();
  const document = {
    openapi: '3.1.0',
    info,
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas(model),
      parameters,
      headers,
      responses: problemComponents(),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A path may be written with POST and read with GET. */
function inOrder(operations: readonly PathOperation[]): Record<string, Schema> {
  const paths: Record<string, Schema> = {};
  for (const [path, item] of [...operations].sort(([a], [b]) => (a < b ? -1 : a === b ? 0 : 1)))
    paths[path] = { ...paths[path], ...item };
  return paths;
}

const commandPaths = (model: ServiceModel): PathOperation[] =>
  model.commands.flatMap((command): PathOperation[] =>
    command.restRoute === null ? [] : [[command.restRoute, { post: operation(model, command) }]],
  );

function operation(model: ServiceModel, command: CommandModel): Schema {
  const { name, description, restRoute, result } = command;
  const body: TypeModel = { kind: 'ref', name: bodyName(command) };
  return {
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    summary: wordsOf(name),
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(restRoute ?? '')],
    parameters: Object.keys(parameters).map((key) => ({ $ref: `#/components/parameters/${key}` })),
    requestBody: {
      required: true,
      content: jsonContent(schemaOf(body, arriving), exampleOf(model, body)),
    },
    responses: {
      ...success(model, result),
      ...problemResponses(),
    },
  };
}

function success(model: ServiceModel, result: TypeModel | null): Record<string, Schema> {
  const answered = {
    headers: {
      'X-Correlation-Id': { $ref: '#/components/headers/X-Correlation-Id' },
      traceparent: { $ref: '#/components/headers/traceparent' },
      'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' },
    },
  };
  if (result === null) return { 204: { description: 'It was carried out.', ...answered } };
  const content = jsonContent(schemaOf(result, leaving), exampleOf(model, result));
  return { 200: { description: 'It was carried out.', ...answered, content } };
}

const jsonContent = (schema: Schema, example: unknown): Schema => ({
  'application/json': { schema, ...(example === none ? {} : { example }) },
});

function schemas(model: ServiceModel): Record<string, Schema> {
  const definitions = definitionsOf(model);
  if (problemName in definitions) {
    throw new Problem('invalid-setup', { detail: `The name ${problemName} is taken: rename your type.` });
  }
  return { ...definitions, [problemName]: problemSchema };
}

/** `/orders/cancel` belongs to `orders`. */
const tagOf = (route: string): string => route.split('/').find((part) => part !== '') ?? 'commands';

/** `CreateOrder` → `Create order`. */
function wordsOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ');
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(' ');
}

const correlationId = {
  description: 'Carried by everything the request causes, and echoed; made up when absent.',
  schema: { type: 'string', pattern: '^[!-~]{1,128}$' },
};
const traceparent = { description: 'W3C Trace Context.', schema: { type: 'string' } };

const parameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same request with the same key is carried out once; a repetition gets the first answer.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  },
  'X-Correlation-Id': { name: 'X-Correlation-Id', in: 'header', ...correlationId },
  traceparent: { name: 'traceparent', in: 'header', ...traceparent },
};

const headers = {
  'Idempotency-Replayed': {
    description: 'Present when this is the stored answer to an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'Seconds after which the request may be sent again.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Correlation-Id': correlationId,
  traceparent,
};
