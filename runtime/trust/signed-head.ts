import { isLong, isTimestamp, isUuid, type Timestamp, type Uuid } from '../../contracts/scalars.js';
import { verifySignature } from './ed25519.js';
import { isMessageEpoch } from './epoch-headers.js';
import type { DatedHead, LogHistory } from './published-head.js';
import type { StoreKey } from './store-key.js';

interface StatedHead extends DatedHead {
  readonly store: Uuid;
}

/** A head that its store has signed; all bytes are hexadecimal. */
export interface SignedHead extends StatedHead {
  readonly publicKey: string;
  readonly signature: string;
  /** How its key replaced earlier ones, as it was sent. */
  readonly rotations?: string;
}

/**
 * The bytes that are signed: each text with its length in front, so that none can pass for a part of its neighbor. The
 * first says what is signed, so that no signature of something else can pass for one of a head.
 */
export function headBytes({ store, position, hash, at, history }: StatedHead): Buffer {
  const { epoch, forks, publishedTo } = history;
  const texts = ['svc-head-1', store, position, hash, at, epoch, forks, publishedTo];
  const parts = texts.map((text) => Buffer.from(String(text)));
  return Buffer.concat(parts.flatMap((part) => [lengthOf(part), part]));
}

function lengthOf(text: Buffer): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeInt32BE(text.length);
  return length;
}

export function signHead(
  { position, hash, at, history }: DatedHead,
  { storeId, publicKey, sign, rotations = '' }: StoreKey,
): SignedHead {
  const head = { store: storeId, position, hash, at, history };
  const signature = sign(headBytes(head)).toString('hex');
  const signed = { ...head, publicKey: publicKey.toString('hex'), signature };
  return rotations === '' ? signed : { ...signed, rotations };
}

/** Whether the key that the head names has signed it; whose key that is, the caller must know. */
export const isSigned = (head: SignedHead): boolean =>
  verifySignature(Buffer.from(head.publicKey, 'hex'), headBytes(head), Buffer.from(head.signature, 'hex'));

/** Reads what claims to be a signed head; undefined if a part is missing or has another form. */
export function readSignedHead(value: unknown): SignedHead | undefined {
  const head = (value ?? {}) as Partial<SignedHead>;
  const { store, position, hash, at, history, publicKey, signature, rotations } = head;
  if (!isUuid(store) || !isLong(position) || position < 1 || !isHex(hash, 32)) return undefined;
  if (!isCanonicalTime(at) || !isHex(publicKey, 32) || !isHex(signature, 64)) return undefined;
  if (!isHistory(history)) return undefined;
  const { epoch, forks, publishedTo } = history;
  const signed = { store, position, hash, at, history: { epoch, forks, publishedTo }, publicKey, signature };
  return typeof rotations === 'string' ? { ...signed, rotations } : signed;
}

const isHistory = (value: unknown): value is LogHistory =>
  isMessageEpoch(value) && 'publishedTo' in value && isLong(value.publishedTo) && value.publishedTo > 0;

/** In one form only, which every database reads. */
const isCanonicalTime = (text: unknown): text is Timestamp =>
  isTimestamp(text) && /^[12]\d{3}-.{14}\.\d{3}Z$/.test(text);

const isHex = (text: unknown, bytes: number): text is string =>
  typeof text === 'string' && text.length === 2 * bytes && /^[0-9a-f]+$/.test(text);
