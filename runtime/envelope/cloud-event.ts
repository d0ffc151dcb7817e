import { isUtf8 } from 'node:buffer';
import { isObject } from '../../contracts/codec-scalars.js';
import type { ChainLink, StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import { mustBeShallow } from './validate-json.js';

export const cloudEventType = 'application/cloudevents+json';

/** One envelope as a CloudEvent 1.0 in structured mode; what CloudEvents do not know are extension attributes. */
export function encodeCloudEvent(envelope: StoredEvent): Uint8Array {
  const { store = '', scope, chain } = envelope;
  return Buffer.from(
    JSON.stringify({
      specversion: '1.0',
      id: envelope.messageId,
      source: sourceOf(store),
      type: envelope.messageType,
      subject: envelope.streamId,
      time: envelope.timestamp,
      datacontenttype: 'application/json',
      correlationid: envelope.correlationId,
      causationid: envelope.causationId,
      traceparent: envelope.traceparent,
      tracestate: envelope.tracestate,
      store,
      host: envelope.host,
      streamposition: textOf(envelope.streamPosition),
      globalposition: textOf(envelope.globalPosition),
      occurredat: envelope.occurredAt,
      recordedat: envelope.recordedAt,
      dataversion: envelope.v,
      count: envelope.count,
      depth: envelope.depth,
      scope: scope && JSON.stringify(scope),
      chainhash: chain?.hash,
      chaindigest: chain?.digest,
      chainposition: textOf(chain?.originalPosition),
      chainmetadata: chain?.metadata,
      data: envelope.payload,
    }),
  );
}

/** Integers of CloudEvents have 32 bits. */
const textOf = (position: number | undefined): string | undefined =>
  position === undefined ? undefined : String(position);

const sourceOf = (store: unknown): string => `urn:uuid:${String(store)}`;

/** Decodes to the fields of an envelope, each to be checked; throws a Problem for anything that is no CloudEvent. */
export function decodeCloudEvent(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const found = jsonIn(bytes);
  if (!isObject(found) || found['specversion'] !== '1.0') throw invalid('The body is not a CloudEvent 1.0.');
  const { datacontenttype: type = 'application/json' } = found;
  if ('data_base64' in found || typeof type !== 'string' || !/^application\/json\s*(?:;|$)/i.test(type))
    throw invalid('The data of a CloudEvent must be JSON.');
  if (found['source'] !== sourceOf(found['store']))
    throw new Problem('forged-header', { detail: 'The source of the CloudEvent contradicts its store.' });
  return {
    messageId: found['id'],
    messageType: found['type'],
    payload: found['data'],
    streamId: found['subject'],
    timestamp: found['time'],
    correlationId: found['correlationid'],
    causationId: found['causationid'],
    traceparent: found['traceparent'],
    tracestate: found['tracestate'],
    store: found['store'],
    host: found['host'],
    streamPosition: numberIn(found['streamposition']),
    globalPosition: numberIn(found['globalposition']),
    occurredAt: found['occurredat'],
    recordedAt: found['recordedat'],
    v: found['dataversion'],
    count: found['count'],
    depth: found['depth'],
    scope: scopeIn(found['scope']),
    ...chainIn(found),
  };
}

function jsonIn(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8.');
  mustBeShallow(bytes);
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (cause) {
    throw invalid('The body is not JSON.', cause);
  }
}

/** Any other text stays as it is, for the check that names the field. */
const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;

function scopeIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function chainIn(found: Readonly<Record<string, unknown>>): { readonly chain?: Partial<ChainLink> } {
  const { chainhash, chaindigest, chainposition, chainmetadata } = found;
  if (chainhash === undefined) return {};
  const chain = {
    hash: chainhash,
    digest: chaindigest,
    ...(chainposition === undefined ? {} : { originalPosition: numberIn(chainposition) }),
    ...(chainmetadata === undefined ? {} : { metadata: chainmetadata }),
  };
  return { chain: chain as Partial<ChainLink> };
}

const invalid = (detail: string, cause?: unknown): Problem =>
  new Problem('invalid-message', { detail, ...(cause === undefined ? {} : { cause }) });
