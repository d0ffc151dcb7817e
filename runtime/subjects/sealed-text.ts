import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { Problem } from '../../contracts/problems.js';
import { sealedPrefix as prefix } from '../../contracts/redaction.js';
import { isUuid, type Uuid } from '../../contracts/scalars.js';

/** A key of a subject; sealed texts name it by its id. */
export interface SubjectKey {
  readonly id: Uuid;
  readonly key: Uint8Array;
}

/** Where a value was sealed: it cannot be opened as one of another place. */
export interface SealedPlace {
  /** The id of the event or timer. */
  readonly of: Uuid;
  /** A JSON Pointer. */
  readonly path: string;
}

const uuidLength = 36;
const headLength = prefix.length + uuidLength + 1;
const ivBytes = 12;
const tagBytes = 16;

/** The JSON of a value as one text; the same event gives the same text, so that it can be appended again. */
export function sealText(json: string, { id, key }: SubjectKey, place: SealedPlace): string {
  const bound = boundTo(id, place);
  // Derived from everything that is sealed: two different values never share it, as GCM demands.
  const iv = createHmac('sha256', key).update(bound).update('\n').update(json).digest().subarray(0, ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(bound);
  const bytes = Buffer.concat([iv, cipher.update(json, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${prefix}${id}:${bytes.toString('base64')}`;
}

/** The id of the key that a value is sealed with; undefined where the value is not sealed. */
export function keyIdIn(value: unknown): Uuid | undefined {
  if (typeof value !== 'string' || !value.startsWith(prefix)) return undefined;
  const id = value.slice(prefix.length, prefix.length + uuidLength);
  return isUuid(id) && value[prefix.length + uuidLength] === ':' ? id : undefined;
}

/** The value in a sealed text; a text that was changed or moved is refused. */
export function openText(sealed: string, { id, key }: SubjectKey, place: SealedPlace): unknown {
  const bytes = Buffer.from(sealed.slice(headLength), 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(boundTo(id, place));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
    return JSON.parse(plain.toString('utf8'));
  } catch (cause) {
    throw new Problem('sealed-value-refused', {
      detail: `The sealed value at ${place.path} of ${place.of} was changed or moved.`,
      cause,
    });
  }
}

const boundTo = (id: Uuid, { of, path }: SealedPlace): Buffer =>
  Buffer.from(`${prefix}${id}\n${of.toLowerCase()}\n${path}`);

/** A sealed text with its place, so that it can be opened anywhere. */
export const carriedText = (sealed: string, { of, path }: SealedPlace): string => `${sealed}@${of}${path}`;

interface Carried {
  readonly keyId: Uuid;
  readonly sealed: string;
  readonly place: SealedPlace;
}

/** Undefined where a value is no sealed text with its place. */
export function readCarried(value: unknown): Carried | undefined {
  const keyId = keyIdIn(value);
  if (keyId === undefined) return undefined;
  const text = value as string;
  // Base64 has no @, a path may.
  const at = text.indexOf('@', headLength);
  const [of, path] = [text.slice(at + 1, at + 1 + uuidLength), text.slice(at + 1 + uuidLength)];
  if (at < 0 || !isUuid(of) || !path.startsWith('/')) return undefined;
  return { keyId, sealed: text.slice(0, at), place: { of, path } };
}
