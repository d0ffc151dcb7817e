import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import type { ChainHead } from '../audit/chain.js';

/** What the signature of a head covers. */
interface StatedHead extends ChainHead {
  readonly store: Uuid;
  /** When it was signed, by the clock of the signing host. */
  readonly at: Timestamp;
}

/** Says what is signed, so that no signature of something else can pass for one of a head. */
const version = 'svc-head-1';

/** The bytes that are signed: each text with its length in front, so that none can pass for a part of its neighbor. */
export function headBytes({ store, position, hash, at }: StatedHead): Buffer {
  const texts = [version, store, String(position), hash, at].map((text) => Buffer.from(text));
  return Buffer.concat(texts.flatMap((text) => [lengthOf(text), text]));
}

function lengthOf(text: Buffer): Buffer {
  const length = Buffer.allocUnsafe(4);
  length.writeInt32BE(text.length);
  return length;
}
