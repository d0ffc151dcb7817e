import { NatsNames } from '../../../runtime/transport/nats-names.js';
import type { EventModel, NamedType, ServiceModel } from '../model/service-model.js';
import { namedType, reachableTypes } from '../model/reachable-types.js';
import { definitionOf, leaving, type Schema } from './json-schema.js';

interface AsyncApiInfo {
  readonly title: string;
  readonly version: string;
  readonly namespace?: string | undefined;
}

/** The AsyncAPI 3 document of a service: its events on NATS, in both formats. */
export function emitAsyncApi(model: ServiceModel, { title, version, namespace }: AsyncApiInfo): string {
  const { events } = model;
  const document = {
    asyncapi: '3.0.0',
    info: { title, version },
    channels: byName(events, (event) => channelOf(event, new NatsNames(namespace))),
    operations: Object.fromEntries(events.map((event) => [`publish${event.name}`, operationOf(event)])),
    components: {
      messages: Object.assign({}, ...events.map((event) => messagesOf(event, model))) as Schema,
      schemas: {
        ...Object.fromEntries(eventTypes(model).map((type) => [type.name, schemaOf(type)])),
        ...(events.length === 0 ? {} : shared),
      },
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const byName = (events: readonly EventModel[], of: (event: EventModel) => Schema): Record<string, Schema> =>
  Object.fromEntries(events.map((event) => [event.name, of(event)]));

const eventTypes = (model: ServiceModel): readonly NamedType[] =>
  reachableTypes(
    model,
    model.events.flatMap(({ name }) => (model.types.has(name) ? [name] : [])),
  ).map((name) => namedType(model, name));

/** In AsyncAPI a discriminator is the name of the property alone. */
function schemaOf(type: NamedType): Schema {
  const schema = withSealed(definitionOf(type, leaving), type);
  return type.type.kind === 'union' ? { ...schema, discriminator: type.type.discriminator } : schema;
}

/** Messages hold the ciphertext of a value with a subject, whatever its type is. */
function withSealed(schema: Schema, { type }: NamedType): Schema {
  const sealed = type.kind === 'object' ? type.properties.filter(({ subject }) => subject !== undefined) : [];
  if (sealed.length === 0) return schema;
  const texts = Object.fromEntries(sealed.map(({ name }) => [name, sealedValue]));
  return { ...schema, properties: { ...(schema['properties'] as Schema), ...texts } };
}

const sealedValue: Schema = {
  type: ['string', 'null'],
  description: 'Encrypted with the key of its subject.',
};

/** How the names of the two messages of an event end. */
const formats = ['', '.cloudevent'] as const;

const channelOf = ({ name, description }: EventModel, names: NatsNames): Schema => ({
  address: names.subjectOf(`svc.events.${name}`),
  ...(description === undefined ? {} : { description }),
  messages: Object.fromEntries(
    formats.map((format) => [name + format, ref(`components/messages/${name}${format}`)]),
  ),
});

const operationOf = ({ name }: EventModel): Schema => ({
  action: 'send',
  channel: ref(`channels/${name}`),
  messages: formats.map((format) => ref(`channels/${name}/messages/${name}${format}`)),
});

/** A host publishes one of them, as SVC_MESSAGE_FORMAT says, and receives both. */
function messagesOf(
  { name, version, description }: EventModel,
  { types }: ServiceModel,
): Record<string, Schema> {
  const described = {
    name,
    headers: ref('components/schemas/svc.Headers'),
    ...(description === undefined ? {} : { description }),
  };
  const data = types.has(name) ? ref(`components/schemas/${name}`) : { type: 'object' };
  const versioned = { type: 'integer', minimum: 1, maximum: version };
  return {
    [name]: {
      ...described,
      title: name,
      contentType: 'application/vnd.msgpack',
      payload: both('svc.Envelope', { messageType: { const: name }, v: versioned, payload: data }),
    },
    [`${name}.cloudevent`]: {
      ...described,
      title: `${name} as a CloudEvent`,
      contentType: 'application/cloudevents+json',
      payload: both('svc.CloudEvent', { type: { const: name }, dataversion: versioned, data }),
    },
  };
}

const both = (base: string, properties: Schema): Schema => ({
  allOf: [
    ref(`components/schemas/${base}`),
    { type: 'object', properties, required: Object.keys(properties) },
  ],
});

const ref = (path: string): Schema => ({ $ref: `#/${path}` });

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
const time = { type: 'string', format: 'date-time' };
const position = { type: 'integer', minimum: 1 };
const positionText = { type: 'string', pattern: String.raw`^\d{1,16}$` };

const objectOf = (required: Schema, optional: Schema): Schema => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
});

/** No type of an application has a dot in its name. */
const shared: Record<string, Schema> = {
  'svc.Envelope': objectOf(
    {
      messageId: uuid,
      streamId: uuid,
      streamPosition: position,
      timestamp: time,
      occurredAt: time,
      recordedAt: time,
      store: uuid,
      host: text,
    },
    {
      globalPosition: position,
      depth: position,
      correlationId: text,
      causationId: text,
      traceparent: text,
      tracestate: text,
      scope: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    },
  ),
  'svc.CloudEvent': objectOf(
    {
      specversion: { const: '1.0' },
      id: uuid,
      source: { type: 'string', format: 'uri' },
      subject: uuid,
      time,
      store: uuid,
      host: text,
      streamposition: positionText,
      occurredat: time,
      recordedat: time,
    },
    {
      datacontenttype: { const: 'application/json' },
      globalposition: positionText,
      depth: position,
      correlationid: text,
      causationid: text,
      traceparent: text,
      tracestate: text,
      scope: { ...text, description: 'JSON.' },
    },
  ),
  'svc.Headers': objectOf(
    { 'Nats-Msg-Id': uuid, 'svc-store': uuid, 'svc-host': text },
    {
      'svc-service': text,
      'svc-correlation-id': text,
      traceparent: text,
      tracestate: text,
      'content-type': text,
      'svc-position': positionText,
      'svc-epoch': { ...positionText, description: 'The history of the store that the position belongs to.' },
      'svc-forks': { ...text, description: 'Where the last epochs began: `2:150 3:200`.' },
      'svc-signature': { ...text, description: 'Ed25519, base64; with SVC_SIGN_MESSAGES=1.' },
      'svc-key': { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'The public key of the store.' },
      'svc-key-rotations': { ...text, description: 'How it replaced its last keys, signed by both; base64.' },
    },
  ),
};
