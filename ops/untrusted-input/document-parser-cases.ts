import { Cancellation } from '../../runtime/lang/cancellation.js';
import { cloudEventType } from '../../runtime/envelope/cloud-event.js';
import { encodeEnvelope } from '../../runtime/envelope/envelope-codec.js';
import { proofOf } from '../../runtime/trust/signed-message.js';
import { readEvent } from '../../runtime/imports/read-event.js';
import { readEnvelope } from '../../runtime/inbox/read-envelope.js';
import { keyIdIn, openText, readCarried } from '../../runtime/subjects/sealed-text.js';
import { rowsFromBytes } from '../../runtime/archive/segment-rows.js';
import { readSignedHead } from '../../runtime/trust/signed-head.js';
import { epochOf } from '../../runtime/trust/epoch-headers.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../../runtime/kit/in-memory-idempotency-gate.js';
import { executableSchema } from '../../endpoints/graphql/executable-schema.js';
import { executor } from '../../endpoints/graphql/executor.js';
import { limits } from '../../endpoints/graphql/limits.js';
import { listQueryOf } from '../../endpoints/graphql/list-arguments.js';
import { MutationCall } from '../../endpoints/graphql/mutation-call.js';
import { type Parameters, parametersOfUrl } from '../../endpoints/graphql/request-parameters.js';
import { bakeryOver } from '../../endpoints/testing/bakery.js';
import { bakerySchema } from '../../endpoints/testing/parcels.js';
import { flushingServerIn } from '../checks/nats-durability.js';
import { requestCountsIn } from '../checks/read-request-counts.js';
import { smokeTestIn } from '../checks/smoke-test.js';
import { deployConfigIn } from '../deploy/deploy-config.js';
import { serverStatsIn } from '../deploy/haproxy/server-stats.js';
import { documentShapes, textShapes, valueShapes } from './hostile-shapes.js';
import type { UntrustedParser } from './untrusted-parser.js';

const subjectKey = { id: '0190b5d4-0000-4000-8000-000000000001', key: new Uint8Array(32) };
const sealedHead = `svc:sealed:1:${subjectKey.id}:`;
const sealedPlace = { of: subjectKey.id, path: '/email' };
const store = new InMemoryEventStore();
const executable = executableSchema(bakerySchema, bakeryOver(store).endpoints);
const ports = { store, gate: new InMemoryIdempotencyGate(store) };

/** Everything but HTTP; a new executor each time, because an executor caches documents. */
function ask(parameters: Pick<Parameters, 'query' | 'variables'>): Promise<unknown> {
  const cancellation = new Cancellation();
  const call = new MutationCall(ports, {
    cancellation,
    correlation: { correlationId: 'c', traceparent: 't' },
    key: undefined,
    instance: '/',
  });
  return executor(executable, true)({ operationName: undefined, ...parameters }, call, {
    mutate: true,
    stream: false,
  });
}

/** Up to its data. */
const eventLine =
  '{"streamId":"01890a5d-ac96-774b-bcce-b302099a8057","eventId":"01890a5d-ac96-774b-bcce-b302099a8057","eventType":"Baked","occurredAt":"1969-01-01T00:00:00Z","data":';
const counted = 'http_server_request_duration_seconds_count{';

const mutation =
  'mutation ($command: SendParcelInput!) { sendParcel(command: $command) { price ...P } } fragment P on Parcel { speed }';
const head = {
  store: '01890a5d-ac96-774b-bcce-b302099a8057',
  position: 7,
  hash: '00'.repeat(32),
  at: '2026-03-01T09:30:00.000Z',
  publicKey: '00'.repeat(32),
  signature: '00'.repeat(64),
};
/** Of a message to which a signature claims to belong. */
const unsigned = {
  store: '01890a5d-ac96-774b-bcce-b302099a8057',
  subject: 's',
  body: new Uint8Array(),
  epoch: { epoch: 1, forks: '' },
};

const parcel = { to: '01890a5d-ac96-774b-bcce-b302099a8057', weight: '1.50', speed: 'normal' };

const variableOf = (name: string): UntrustedParser => ({
  name: `a variable of GraphQL at ${name}`,
  in: 'endpoints/graphql/request-parameters.ts',
  limit: 65_536,
  shapes: valueShapes,
  read: (value) =>
    ask({ query: mutation, variables: { command: { ...parcel, [name]: JSON.parse(value) as unknown } } }),
});

const columnTypes = ['text', 'uuid', 'bigint', 'numeric', 'boolean', 'timestamptz'] as const;
const columns = new Map(
  columnTypes.map((type) => [type, { name: type, column: type, type, of: () => null }] as const),
);

/** The text as a value of every type. */
const listed = (text: string): unknown =>
  listQueryOf(
    { filter: Object.fromEntries(columnTypes.map((type) => [type, { eq: text, in: [text] }])) },
    columns,
  );

export const documentParserCases: readonly UntrustedParser[] = [
  {
    name: 'the rows of an archived segment',
    in: 'runtime/archive/segment-rows.ts',
    limit: 262_144,
    shapes: textShapes('\0\f', '\0\f\0\0\0\0'),
    read: (text) => rowsFromBytes(Buffer.from(text), 12),
  },
  {
    name: 'a filter of a GraphQL list',
    in: 'endpoints/graphql/list-arguments.ts',
    limit: 65_536,
    shapes: textShapes('1.', '-', '2026-01-31T12:00:00.', '01890a5d-'),
    read: listed,
  },
  {
    name: 'a document of GraphQL',
    in: 'endpoints/graphql/document-cache.ts',
    limit: limits.characters,
    shapes: documentShapes,
    read: (query) => ask({ query, variables: {} }),
  },
  ...['weight', 'to', 'labels', 'speed', 'note'].map(variableOf),
  {
    name: 'the parameters of GraphQL in a URL',
    in: 'endpoints/graphql/request-parameters.ts',
    limit: 16_384,
    shapes: [...textShapes('{', '{"a":'), ...valueShapes],
    read: (variables) => parametersOfUrl({ query: '{ service }', operationName: variables, variables }),
  },
  {
    name: 'a line of a file that is imported',
    in: 'runtime/imports/read-event.ts',
    limit: 262_144,
    shapes: [
      ...textShapes('{', `${eventLine}{`, `${eventLine}{"a":`),
      ...valueShapes,
      (size) => `${eventLine}{"a":"${'1'.repeat(size)}"}}`,
    ],
    isJson: true,
    read: (text) => readEvent({ number: 1, text, bytes: text.length }, 0),
  },
  {
    name: 'the metrics of a host that is checked',
    in: 'ops/checks/read-request-counts.ts',
    limit: 262_144,
    shapes: textShapes(
      counted,
      `${counted}http_route="`,
      `${counted}} `,
      `${counted}http_response_status_code="5`,
    ),
    read: requestCountsIn,
  },
  {
    name: 'the OpenAPI document of a host that is checked',
    in: 'ops/checks/smoke-test.ts',
    limit: 262_144,
    shapes: [...textShapes('{', '{"x-smoke-test":'), ...valueShapes],
    isJson: true,
    read: smokeTestIn,
  },
  {
    name: 'the state of a NATS server that is checked',
    in: 'ops/checks/nats-durability.ts',
    limit: 262_144,
    shapes: [...textShapes('{', '{"version":"2.10.29","jetstream":'), ...valueShapes],
    read: (varz) => flushingServerIn(varz, 'n1:8222'),
  },
  {
    name: 'the statistics of HAProxy',
    in: 'ops/deploy/haproxy/server-stats.ts',
    limit: 65_536,
    shapes: textShapes('orders,"'),
    read: (text) => serverStatsIn(`# pxname,svname,type,status\n${text}`, 'orders'),
  },
  {
    name: 'the file deploy.json',
    in: 'ops/deploy/deploy-config.ts',
    limit: 65_536,
    shapes: [...textShapes('{', '{"driver":"./', '{"driver":"haproxy","url":"http://'), ...valueShapes],
    read: (text) => deployConfigIn(text, 'deploy.json'),
  },
  {
    name: 'a message of the broker',
    in: 'runtime/inbox/read-envelope.ts',
    limit: 262_144,
    shapes: valueShapes,
    isJson: true,
    read: (value) => readEnvelope(messageWith(value)),
  },
  {
    name: 'a signed head',
    in: 'runtime/trust/signed-head.ts',
    limit: 65_536,
    shapes: textShapes('2026-', '00'),
    read: (text) =>
      readSignedHead({ ...head, at: text }) ??
      readSignedHead({ ...head, signature: text }) ??
      readSignedHead({ ...head, history: { epoch: 2, forks: text, publishedTo: 1 } }),
  },
  {
    name: 'the signature of a message of the broker',
    in: 'runtime/trust/signed-message.ts',
    limit: 65_536,
    shapes: textShapes('A', 'ab', '='),
    read: (text) => proofOf({ ...unsigned, contentType: text }, () => text),
  },
  {
    name: 'a CloudEvent of the broker',
    in: 'runtime/envelope/cloud-event.ts',
    limit: 65_536,
    shapes: valueShapes,
    isJson: true,
    read: (value) => readEnvelope(Buffer.from(`{"specversion":"1.0","data":${value}}`), cloudEventType),
  },
  {
    name: 'a sealed value of an event',
    in: 'runtime/subjects/sealed-text.ts',
    limit: 262_144,
    shapes: textShapes(sealedHead, 'svc:sealed:1:'),
    read: (text) => (keyIdIn(text) === undefined ? undefined : openText(text, subjectKey, sealedPlace)),
  },
  {
    name: 'a sealed value of a timer',
    in: 'runtime/subjects/sealed-text.ts',
    limit: 262_144,
    shapes: textShapes(`${sealedHead}@${parcel.to}/a`, `${sealedHead}@`, '@'),
    read: (text) => readCarried(text),
  },
  {
    name: 'the epoch in the headers of a message',
    in: 'runtime/trust/epoch-headers.ts',
    limit: 65_536,
    shapes: textShapes('2:1', '2:1 3:'),
    read: (text) => epochOf({ header: (name) => (name === 'svc-epoch' ? '2' : text) }),
  },
];

/** Made once for each value, so that only reading is measured. */
function messageWith(value: string): Uint8Array {
  const known = messages.get(value);
  if (known !== undefined) return known;
  const payload = JSON.parse(value) as object;
  const made = encodeEnvelope({ messageId: parcel.to, messageType: 'ParcelSent', payload } as never);
  messages.clear();
  messages.set(value, made);
  return made;
}

const messages = new Map<string, Uint8Array>();
