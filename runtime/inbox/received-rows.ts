import { Problem } from '../../contracts/problems.js';
import { isAudit } from '../audit/audit-timestamp.js';
import { digestOf } from '../audit/chain.js';
import { receivedMetadataOf } from '../envelope/stored-metadata.js';
import { isStorable } from '../lang/storable-text.js';
import type { ReceivedEvent, ReceivedRecord } from './inbox.js';
import { largestBody, omittedBodies } from '../transport/pack-nats-message.js';
import { invalid, type ReceivedEnvelope } from './read-envelope.js';

/** The largest published message fits: a byte of text is at most six characters of JSON. */
const maxStoredLength = 6 * largestBody;

/** A domain event as it will be stored. */
export const eventOf = (envelope: ReceivedEnvelope): ReceivedEvent => ({
  ...commonOf(envelope),
  data: textOf(envelope.payload),
  streamId: envelope.streamId,
  occurredAt: envelope.occurredAt,
  recordedAt: envelope.recordedAt,
});

/** A system record exactly as its store keeps it: only then does the chain verify here too. */
export function receivedRecordOf(envelope: ReceivedEnvelope, omitted: boolean): ReceivedRecord {
  const { chain, messageType } = envelope;
  if (chain === undefined || chain === null)
    throw invalid('A system record needs its position in the chain.');
  const originalPosition = chain.originalPosition ?? 0;
  const globalPosition = envelope.globalPosition ?? 0;
  const common = commonOf(envelope);
  const metadata = storedMetadata(envelope, common.metadata);
  const [first = '', ...others] = textsOf(envelope, originalPosition);
  const asStored = [first, ...others].find((data) => {
    const content = { type: messageType, data, metadata, host: common.host };
    // An operator may send what was kept in its store.
    return [true, false].some(
      (publish) => digestOf({ ...content, publish }).toString('hex') === chain.digest,
    );
  });
  if (asStored === undefined && !omitted) throw invalid('The digest does not match the record.');
  if (asStored === undefined && !isWithoutBody(envelope.payload))
    throw invalid('A record whose body was omitted must have null in its place.');
  if (globalPosition === 0)
    throw invalid('The hash of the record covers its global position, which is missing.');
  return {
    ...common,
    metadata,
    data: asStored ?? first,
    originalPosition,
    omitted: asStored === undefined,
    digest: Buffer.from(chain.digest, 'hex'),
    hash: Buffer.from(chain.hash, 'hex'),
    recordedAt: envelope.recordedAt,
    globalPosition,
  };
}

/** As it was sent if it was; it must not say anything else than the envelope. */
function storedMetadata(envelope: ReceivedEnvelope, restored: string): string {
  const sent = envelope.chain?.metadata ?? undefined;
  if (sent === undefined) return restored;
  const merged = { ...envelope, ...(JSON.parse(sent) as Partial<ReceivedEnvelope>) };
  if (receivedMetadataOf(merged) !== restored) throw invalid('The stored metadata contradicts the envelope.');
  return mustBeStorable(sent);
}

/** Only a body that is too large may be omitted: anything else would escape the digest. */
function isWithoutBody(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null) return false;
  const found = payload as Readonly<Record<string, unknown>>;
  const held = omittedBodies.filter((name) => name in found);
  return held.length > 0 && held.every((name) => found[name] === null);
}

/** The position of the original event was merged in when the record was read: over a 0, or as a new field. */
function textsOf({ messageType, payload }: ReceivedEnvelope, originalPosition: number): string[] {
  if (typeof payload !== 'object' || payload === null) return [textOf(payload)];
  const { originalStreamPosition: _, ...without } = payload as Readonly<Record<string, unknown>>;
  const forms = originalPosition === 0 ? [payload] : [{ ...payload, originalStreamPosition: 0 }, without];
  // The time of an audit was merged in, too.
  const stored = isAudit(messageType) ? forms.map((form) => ({ ...form, timestamp: undefined })) : forms;
  return stored.map(textOf);
}

function commonOf(envelope: ReceivedEnvelope) {
  mustBeStorable(JSON.stringify([envelope.messageType, envelope.host]));
  return {
    store: envelope.store,
    streamPosition: envelope.streamPosition,
    id: envelope.messageId,
    type: envelope.messageType,
    metadata: mustBeStorable(receivedMetadataOf(envelope)),
    host: envelope.host,
  };
}

function textOf(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw invalid('The payload cannot be expressed as JSON.', error);
  }
  if (text !== undefined && text.length > maxStoredLength) {
    const detail = `As JSON the message has ${text.length} characters; at most ${maxStoredLength} are stored.`;
    throw new Problem('message-too-large', { detail });
  }
  return mustBeStorable(text ?? 'null');
}

function mustBeStorable(json: string): string {
  if (isStorable(json)) return json;
  throw invalid('U+0000 and unpaired surrogates cannot be stored.');
}
