import type { ProcessModel, ServiceModel, VisibleModel } from '../model/service-model.js';
import { leaving, type Schema, schemaOf } from './json-schema.js';
import { headerParameter, pathParameter, tagOf } from './openapi-operation.js';
import { problemReferences } from './openapi-problems.js';
import { readRefusals, securityOf } from './openapi-security.js';

/** `GET <route>/{key}` of every process that has a route. */
export const processPaths = ({ processes }: ServiceModel): (readonly [path: string, item: Schema])[] =>
  processes.flatMap((process) =>
    process.visible === null
      ? []
      : [[`${process.visible.route}/{key}`, { get: instanceOf(process, process.visible) }] as const],
  );

const instanceOf = ({ name }: ProcessModel, visible: VisibleModel): Schema => ({
  operationId: `get${name}`,
  summary: 'One instance of a process',
  ...(visible.description === undefined ? {} : { description: visible.description }),
  tags: [tagOf(visible.route)],
  ...securityOf(visible.permission),
  parameters: [
    pathParameter('key'),
    {
      name: 'until',
      in: 'query',
      description: 'The states to wait for, with Prefer: wait.',
      explode: false,
      schema: { type: 'array', items: stateOf(visible) },
    },
    headerParameter('Prefer', 'wait=30 waits up to 30 seconds, at most 60.'),
  ],
  responses: {
    200: answer('It exists; with until: it is in one of the states, has ended or is parked.', visible),
    202: answer('It is in none of the states yet.', visible),
    ...problemReferences(
      'invalid-query',
      'not-found',
      ...readRefusals(visible.permission),
      'overloaded',
      'unexpected',
      'store-unavailable',
    ),
  },
});

const stateOf = ({ state }: VisibleModel): Schema =>
  state === null ? { type: 'string' } : schemaOf({ kind: 'ref', name: state }, leaving);

const answer = (description: string, { instance }: VisibleModel): Schema => ({
  description,
  content: { 'application/json': { schema: schemaOf({ kind: 'ref', name: instance }, leaving) } },
});
