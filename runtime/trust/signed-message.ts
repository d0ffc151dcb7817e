import type { Uuid } from '../../contracts/scalars.js';
import { verifySignature } from './ed25519.js';
import type { MessageEpoch } from './epoch-headers.js';
import type { StoreKey } from './store-key.js';

/** A message on its way: its body holds the ids, the stream and the position. */
interface SentMessage {
  readonly store: Uuid;
  readonly subject: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly epoch: MessageEpoch;
}

/** A message that claims to be signed: without an epoch, its signature does not hold. */
type ClaimedMessage = Omit<SentMessage, 'epoch'> & { readonly epoch: MessageEpoch | undefined };

/** Returns the headers that prove which store sent a message. */
export type SignMessage = (message: Omit<SentMessage, 'store'>) => Readonly<Record<string, string>>;

/** The key that signed a message, hexadecimal, or that its signature does not hold; undefined: it is not signed. */
export type MessageProof = KeyProof | 'invalid' | undefined;

/** Which key has signed something; whose key that is, the receiver must know. */
export interface KeyProof {
  /** Hexadecimal. */
  readonly publicKey: string;
  /** How it replaced earlier ones, unproven. */
  readonly rotations?: string | undefined;
}

const signatureHeader = 'svc-signature';
const keyHeader = 'svc-key';
const rotationsHeader = 'svc-key-rotations';

/**
 * The bytes that are signed: each part with its length in front, so that none can pass for a part of its neighbor. The
 * first says what is signed, so that no signature of something else can pass for one of a message.
 */
export function messageBytes({ store, subject, contentType = '', body, epoch }: SentMessage): Buffer {
  const texts = ['svc-message-1', store, subject, contentType, String(epoch.epoch), epoch.forks];
  const parts = texts.map((text) => Buffer.from(text));
  return Buffer.concat([...parts, body].flatMap((part) => [lengthOf(part), part]));
}

function lengthOf(part: Uint8Array): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeInt32BE(part.length);
  return length;
}

export const messageSigner =
  (key: StoreKey): SignMessage =>
  (message) => ({
    [signatureHeader]: key.sign(messageBytes({ ...message, store: key.storeId })).toString('base64'),
    [keyHeader]: key.publicKey.toString('hex'),
    ...(key.rotations ? { [rotationsHeader]: key.rotations } : {}),
  });

const maxSignatureLength = 88;

/** Whether the key that the message names has signed it; whose key that is, the caller must know. Never throws. */
export function proofOf(
  { epoch, ...message }: ClaimedMessage,
  header: (name: string) => string | undefined,
): MessageProof {
  const [signature, publicKey] = [header(signatureHeader), header(keyHeader)];
  if (signature === undefined && publicKey === undefined) return undefined;
  if (epoch === undefined || signature === undefined || signature.length > maxSignatureLength)
    return 'invalid';
  if (publicKey === undefined || !/^[0-9a-f]{64}$/.test(publicKey)) return 'invalid';
  const signed = messageBytes({ ...message, epoch });
  const holds = verifySignature(Buffer.from(publicKey, 'hex'), signed, Buffer.from(signature, 'base64'));
  const rotations = header(rotationsHeader);
  return holds ? { publicKey, ...(rotations === undefined ? {} : { rotations }) } : 'invalid';
}
