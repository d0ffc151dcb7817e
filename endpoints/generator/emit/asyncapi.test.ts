import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../../contracts/event-store.js';
import { suite } from '../../../contracts/testing/suite.js';
import { newUuid } from '../../../contracts/uuid.js';
import { encodings } from '../../../runtime/envelope/message-format.js';
import { decodeBytes } from '../../../runtime/envelope/envelope-codec.js';
import { packMessage } from '../../../runtime/transport/pack-nats-message.js';
import { keyFromSeed, newSeed } from '../../../runtime/trust/ed25519.js';
import { messageSigner } from '../../../runtime/trust/signed-message.js';
import { exampleModel } from '../testing/example-model.js';
import { emitAsyncApi } from './asyncapi.js';
import { exampleOf } from './example-value.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('asyncapi');

interface Validate {
  (value: unknown): boolean;
  readonly errors?: unknown;
}
interface Validator {
  compile(schema: object): Validate;
}

const require = createRequire(import.meta.url);
const { default: Ajv } = require('ajv') as { default: new (options: object) => Validator };
const validator = (): Validator => new Ajv({ strict: false, validateFormats: false, logger: false });

const specification = JSON.parse(
  readFileSync(require.resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json'), 'utf8'),
) as object;

/** Compiling the specification takes a second. */
const isAsyncApi = validator().compile(specification);

interface Document {
  readonly channels: Readonly<Record<string, { readonly address: string }>>;
  readonly operations: object;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly contentType: string; readonly payload: object }>>;
    readonly schemas: object;
  };
}

const info = { title: 'Orders', version: '1.2.3' };
const models = { 'the example': exampleModel(), 'every type': withEvents() };

/** The model of every type, each of its objects as an event. */
function withEvents() {
  const model = wideModel();
  const objects = [...model.types.values()].filter(({ type }) => type.kind === 'object');
  const events = objects.map(({ name, description }) => ({ name, file: 'events', version: 2, description }));
  return { ...model, events };
}

for (const [title, model] of Object.entries(models)) {
  const document = JSON.parse(emitAsyncApi(model, info)) as Document;

  test(`the document is valid AsyncAPI 3: ${title}`, () => {
    assert.ok(isAsyncApi(document), JSON.stringify(isAsyncApi.errors));
    assert.ok(model.events.length > 0);
    for (const { name } of model.events)
      assert.is(document.channels[name]?.address, `svc.events.${name}`, name);
  });

  test(`its addresses are those of the namespace: ${title}`, () => {
    const staging = JSON.parse(emitAsyncApi(model, { ...info, namespace: 'staging' })) as Document;
    for (const { name } of model.events)
      assert.is(staging.channels[name]?.address, `staging.events.${name}`, name);
  });

  test(`what is published is valid under the schema of its message, in both formats: ${title}`, () => {
    const compiler = validator();
    for (const { name } of model.events) {
      const payload = model.types.has(name) ? exampleOf(model, { kind: 'ref', name }) : {};
      for (const [format, suffix] of [
        ['msgpack', ''],
        ['cloudevents', '.cloudevent'],
      ] as const) {
        const body = encodings[format].encode(event(name, payload));
        const sent: unknown =
          format === 'msgpack' ? decodeBytes(body) : JSON.parse(Buffer.from(body).toString());
        const { payload: schema } = document.components.messages[name + suffix] ?? { payload: false };
        const validate = compiler.compile({ allOf: [schema], components: document.components });
        assert.ok(validate(sent), `${name}${suffix}: ${JSON.stringify(validate.errors)}`);
      }
    }
  });
}

test('another event, or one without a required field, is not valid', () => {
  const model = models['every type'];
  const [first] = model.events;
  const document = JSON.parse(emitAsyncApi(model, info)) as Document;
  const { payload: schema } = document.components.messages[`${first?.name}.cloudevent`] ?? { payload: false };
  const validate = validator().compile({ allOf: [schema], components: document.components });
  for (const [name, data] of [
    ['Other', exampleOf(model, { kind: 'ref', name: first?.name ?? '' })],
    [first?.name ?? '', 'text'],
  ] as const)
    assert.not(validate(JSON.parse(Buffer.from(encodings.cloudevents.encode(event(name, data))).toString())));
});

test('a service without events has a valid document without channels', () => {
  const text = emitAsyncApi({ ...exampleModel(), events: [] }, info);
  assert.ok(isAsyncApi(JSON.parse(text)), JSON.stringify(isAsyncApi.errors));
  assert.equal((JSON.parse(text) as Document).channels, {});
});

test('the same model gives the same text', () => {
  assert.is(emitAsyncApi(exampleModel(), info), emitAsyncApi(exampleModel(), info));
});

function event(messageType: string, payload: unknown): StoredEvent {
  const at = '2026-01-02T03:04:05.678Z';
  const ids = { messageId: newUuid(), streamId: newUuid(), store: newUuid() };
  const positions = { streamPosition: 1, globalPosition: 2 };
  const times = { timestamp: at, occurredAt: at, recordedAt: at };
  return { ...ids, ...positions, ...times, messageType, payload, host: 'north', v: 1 };
}

test('the headers that are sent are listed, with those of a message in a later epoch that a later key has signed, and no others', () => {
  const { components } = JSON.parse(emitAsyncApi(exampleModel(), info)) as Document;
  const schema = (components.schemas as Record<string, { properties: object; required: string[] }>)[
    'svc.Headers'
  ];
  assert.ok(schema);
  const validate = validator().compile({ ...schema, additionalProperties: false });
  const key = { storeId: newUuid(), ...keyFromSeed(newSeed()), rotations: 'AAAA' };
  const sign = messageSigner(key);
  const seen = new Set<string>();
  for (const format of ['msgpack', 'cloudevents'] as const) {
    const traced = { correlationId: 'monday', traceparent: '00-1-2-01', tracestate: 'vendor=1' };
    const envelope = { ...event('OrderCreated', {}), ...traced };
    const epoch = { epoch: 2, forks: '2:7' };
    const message = { id: envelope.messageId, destination: 'svc.events.OrderCreated', envelope, epoch };
    const { headers } = packMessage(message, 1 << 20, { format, sign, service: 'orders' });
    assert.ok(validate(headers), JSON.stringify(validate.errors));
    for (const name of Object.keys(headers)) seen.add(name);
  }
  assert.equal([...seen].toSorted(), Object.keys(schema.properties).toSorted());
});
