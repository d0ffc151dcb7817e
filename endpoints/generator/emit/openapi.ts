import { Problem } from '../../../contracts/problems.js';
import type { CommandModel, ServiceModel, TypeModel, WithTypes } from '../model/service-model.js';
import { exampleOf } from './example-value.js';
import { type JsonFragment, jsonText, memberOf, objectOf, partOf } from './json-fragment.js';
import { arriving, definedTypes, definitionOf, type Schema, schemaOf } from './json-schema.js';
import { Memo } from '../model/memo.js';
import { jsonContent, success, tagOf, traceHeaders, wordsOf } from './openapi-operation.js';
import { ownPaths } from './openapi-own-routes.js';
import { processPaths } from './openapi-processes.js';
import { queryPaths } from './openapi-queries.js';
import { problemComponents, problemName, problemResponses, problemSchema } from './openapi-problems.js';
import { webhookItems } from './openapi-webhooks.js';
import { hasGuards, impossibleRefusals, securityOf, securitySchemes } from './openapi-security.js';
import { bodyName, trackedTypes } from '../model/reachable-types.js';

interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** The OpenAPI 3.1 document of a service, always the same text for the same model. */
export const emitOpenApi = (model: ServiceModel, info: OpenApiInfo): string =>
  openApiParts(model, info, new Memo())
    .map(({ text }) => text)
    .join('');

/** The document in parts, so that parts of unchanged commands and types are written once. */
export function openApiParts(model: ServiceModel, info: OpenApiInfo, memo: Memo): readonly JsonFragment[] {
  const paths = pathsOf([...commandOperations(model, memo), ...queryOperations(model)]);
  const isGuarded = hasGuards(model);
  const tags = [...new Set([...paths.keys()].map(tagOf))].map((name) => ({ name }));
  return [
    partOf(`{\n  "openapi": "3.1.0",\n  "info": ${jsonText(info, 2)},\n`),
    partOf(`  "tags": ${jsonText(tags, 2)},\n  "paths": `),
    ...objectOf([...paths].map(pathPart), 2),
    ...webhooksPart(model),
    partOf(',\n  "components": {\n    "schemas": '),
    ...objectOf(schemas(model, memo).map(alone), 4),
    memo.of('the same for all', parameters, [isGuarded], undefined, () => sameForAll(isGuarded)),
  ];
}

const alone = (part: JsonFragment): readonly JsonFragment[] => [part];

const pathPart = ([path, item]: readonly [string, ReadonlyMap<string, JsonFragment>]) => [
  partOf(`${JSON.stringify(path)}: `),
  ...objectOf([...item.values()].map(alone), 4),
];

/** Most services publish nothing. */
const webhooksPart = (model: ServiceModel): readonly JsonFragment[] =>
  model.webhooks.length === 0 ? [] : [partOf(`,\n  "webhooks": ${jsonText(webhookItems(model), 2)}`)];

const sameForAll = (isGuarded: boolean): JsonFragment =>
  partOf(`,
    "parameters": ${jsonText(parameters, 4)},
    "headers": ${jsonText(headers, 4)},
    "responses": ${jsonText(problemComponents(), 4)}${isGuarded ? `,\n    "securitySchemes": ${jsonText(securitySchemes, 4)}` : ''}
  }
}
`);

type Operation = readonly [path: string, method: string, part: JsonFragment];

/** The routes of the runtime come after those of the service. */
const placeOf = (path: string): string => (/^\/approvals(?:\/|$)/.test(path) ? `~${path}` : path);

/** A path may have a POST and a GET. */
function pathsOf(operations: readonly Operation[]): ReadonlyMap<string, ReadonlyMap<string, JsonFragment>> {
  const paths = new Map<string, Map<string, JsonFragment>>();
  const sorted = operations
    .map(([path, method, part]) => ({ place: placeOf(path), path, method, part }))
    .sort((a, b) => (a.place < b.place ? -1 : a.place === b.place ? 0 : 1));
  for (const { path, method, part } of sorted) {
    const item = paths.get(path) ?? new Map<string, JsonFragment>();
    paths.set(path, item.set(method, part));
  }
  return paths;
}

const commandOperations = (model: ServiceModel, memo: Memo): readonly Operation[] =>
  model.commands.flatMap((command): Operation[] => {
    if (command.restRoute === null) return [];
    const part = memo.of('operation', command, [], model.types, (ask) =>
      memberOf('post', operation({ types: trackedTypes(ask) }, command), 6),
    );
    return [[command.restRoute, 'post', part]];
  });

const queryOperations = (model: ServiceModel): readonly Operation[] =>
  [...queryPaths(model), ...processPaths(model), ...ownPaths(model)].flatMap(([path, item]) =>
    Object.entries(item).map(([method, schema]): Operation => [path, method, memberOf(method, schema, 6)]),
  );

function operation(model: WithTypes, command: CommandModel): Schema {
  const { name, description, restRoute, result, permission } = command;
  const body: TypeModel = { kind: 'ref', name: bodyName(command) };
  return {
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    summary: wordsOf(name),
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(restRoute ?? '')],
    ...securityOf(permission),
    parameters: Object.keys(parameters).map((key) => ({ $ref: `#/components/parameters/${key}` })),
    requestBody: {
      required: true,
      content: jsonContent(schemaOf(body, arriving), exampleOf(model, body)),
    },
    responses: {
      ...success(model, result, carriedOut, carriedOut, answerHeaders),
      ...problemResponses(impossibleRefusals(permission)),
    },
  };
}

const carriedOut = 'The command was carried out.';
const answerHeaders = {
  ...traceHeaders,
  'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' },
};

function schemas(model: ServiceModel, memo: Memo): readonly JsonFragment[] {
  const defined = definedTypes(model, memo);
  if (defined.some(([{ name }]) => name === problemName)) {
    throw new Problem('invalid-setup', { detail: `The name ${problemName} is reserved: rename your type.` });
  }
  const parts = defined.map(([type, options]) =>
    memo.of('schema', type, [options], undefined, () => memberOf(type.name, definitionOf(type, options), 6)),
  );
  return [...parts, memberOf(problemName, problemSchema, 6)];
}

const correlationId = {
  description: 'Propagated to everything the request causes, and returned; generated when absent.',
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
    description: 'The number of seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Policy': {
    description: 'The limit, when the host has one: `q` requests in `w` seconds.',
    schema: { type: 'string' },
    example: '"default";q=100;w=1',
  },
  RateLimit: {
    description: 'What is left of it: `r` requests now, all of them in `t` seconds.',
    schema: { type: 'string' },
    example: '"default";r=0;t=1',
  },
  'X-Correlation-Id': correlationId,
  traceparent,
};
