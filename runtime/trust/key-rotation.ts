import type { Long, Uuid } from '../../contracts/scalars.js';
import { type SigningKey, verifySignature } from './ed25519.js';

/** A store replaced its key: both keys have signed that, so that nobody can claim either of them. */
export interface KeyRotation {
  /** Hexadecimal. */
  readonly previousKey: string;
  /** Hexadecimal. */
  readonly publicKey: string;
  /** The last position of the log that the previous key signs. */
  readonly upTo: Long;
  /** The signature of the previous key, then that of the new one; hexadecimal. */
  readonly proof: string;
}

const keyBytes = 32;
const rotationBytes = 168;

/** How many rotations are sent with what a store signs: a receiver may miss as many. */
export const sentRotations = 4;

type Stated = Omit<KeyRotation, 'proof'>;

/**
 * The bytes that are signed: each text with its length in front, so that none can pass for a part of its neighbor. The
 * first says what is signed, so that no signature of something else can pass for one of a rotation.
 */
export function bytesOfRotation(store: Uuid, { previousKey, publicKey, upTo }: Stated): Buffer {
  const parts = ['svc-key-1', store, previousKey, publicKey, String(upTo)].map((text) => Buffer.from(text));
  return Buffer.concat(parts.flatMap((part) => [Buffer.of(part.length), part]));
}

export function signRotation(store: Uuid, previous: SigningKey, next: SigningKey, upTo: Long): KeyRotation {
  const [previousKey, publicKey] = [previous, next].map((key) => key.publicKey.toString('hex')) as [
    string,
    string,
  ];
  const stated = { previousKey, publicKey, upTo };
  const bytes = bytesOfRotation(store, stated);
  return { ...stated, proof: Buffer.concat([previous.sign(bytes), next.sign(bytes)]).toString('hex') };
}

function isProven(store: Uuid, { proof, ...stated }: KeyRotation): boolean {
  const [bytes, signatures] = [bytesOfRotation(store, stated), Buffer.from(proof, 'hex')];
  return (
    verifySignature(Buffer.from(stated.previousKey, 'hex'), bytes, signatures.subarray(0, 64)) &&
    verifySignature(Buffer.from(stated.publicKey, 'hex'), bytes, signatures.subarray(64))
  );
}

/** The newest rotations as they are sent, the oldest first. */
export function rotationsText(rotations: readonly KeyRotation[]): string {
  const [first, ...rest] = rotations.slice(-sentRotations);
  if (first === undefined) return '';
  const packed = [first, ...rest].map(({ publicKey, upTo, proof }) => {
    const position = Buffer.allocUnsafe(8);
    position.writeBigInt64BE(BigInt(upTo));
    return Buffer.concat([Buffer.from(publicKey, 'hex'), position, Buffer.from(proof, 'hex')]);
  });
  return Buffer.concat([Buffer.from(first.previousKey, 'hex'), ...packed]).toString('base64');
}

const maxTextLength = Math.ceil((keyBytes + sentRotations * rotationBytes) / 3) * 4;

/** Reads what claims to be rotations, unproven; none for anything else. */
function readRotations(text: string): readonly KeyRotation[] {
  if (text.length > maxTextLength) return [];
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length <= keyBytes || (bytes.length - keyBytes) % rotationBytes !== 0) return [];
  const hex = (from: number, to: number) => bytes.subarray(from, to).toString('hex');
  return Array.from({ length: (bytes.length - keyBytes) / rotationBytes }, (_, index) => {
    const at = keyBytes + index * rotationBytes;
    // The key before is the one at the beginning, or that of the rotation before.
    const previousAt = index === 0 ? 0 : at - rotationBytes;
    return {
      previousKey: hex(previousAt, previousAt + keyBytes),
      publicKey: hex(at, at + keyBytes),
      upTo: Number(bytes.readBigInt64BE(at + keyBytes)),
      proof: hex(at + keyBytes + 8, at + rotationBytes),
    };
  });
}

/** The proven rotations that lead from a key, or from the oldest one named, to another; none if they do not. Never throws. */
export function rotationsTo(
  publicKey: string,
  text: string | undefined,
  { store, from }: { readonly store: Uuid; readonly from: string | undefined },
): readonly KeyRotation[] {
  const all = text === undefined ? [] : readRotations(text);
  const begin = from === undefined ? 0 : all.findIndex(({ previousKey }) => previousKey === from);
  if (begin < 0 || all.at(-1)?.publicKey !== publicKey) return [];
  const wanted = all.slice(begin);
  // An earlier key that signs later positions would undo the rotation.
  const areInOrder = wanted.every(
    ({ upTo }, index) => Number.isSafeInteger(upTo) && upTo > (wanted[index - 1]?.upTo ?? -1),
  );
  return areInOrder && wanted.every((one) => isProven(store, one)) ? wanted : [];
}

/** The last position that each earlier key of a store signs, as far as the rotations lead back from its key. */
export function earlierKeysOf(
  store: Uuid,
  publicKey: string,
  rotations: readonly KeyRotation[],
): ReadonlyMap<string, Long> {
  const earlier = new Map<string, Long>();
  let [key, before] = [publicKey, Number.POSITIVE_INFINITY];
  for (const rotation of rotations.toSorted((a, b) => b.upTo - a.upTo)) {
    if (rotation.publicKey !== key || rotation.upTo >= before || !isProven(store, rotation)) continue;
    earlier.set(rotation.previousKey, rotation.upTo);
    [key, before] = [rotation.previousKey, rotation.upTo];
  }
  return earlier;
}
