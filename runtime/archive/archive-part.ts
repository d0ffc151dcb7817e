import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Problem } from '../../contracts/problems.js';
import type { CopiedRow } from '../database/copy-out.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import { rowsFromBytes, rowsToBytes } from './segment-rows.js';

/** The rows of both logs from one position to the one before another. */
export interface ArchivePart {
  readonly from: number;
  readonly to: number;
  readonly events: readonly CopiedRow[];
  readonly records: readonly CopiedRow[];
}

/** Where a part belongs: one that is encrypted cannot be opened as another one. */
interface PartPlace {
  readonly store: string;
  readonly low: number;
  /** Counted from 1. */
  readonly number: number;
}

/** Rows are limited by their stored size, and a value in PostgreSQL to 1 GB. */
const maxPlainBytes = 2 ** 30 + 2 ** 26;
export const maxPartBytes = 2 ** 30 + 2 ** 27;
const headBytes = 20;
const fieldsOfRow = 12;
const ivBytes = 12;
const tagBytes = 16;
/** Level 6 takes twice the time and saves a tenth. */
const level = 4;

export function encodePart(
  { from, to, events, records }: ArchivePart,
  place: PartPlace,
  key: SubjectKey | undefined,
): Buffer {
  const head = Buffer.alloc(headBytes);
  const eventBytes = rowsToBytes(events);
  head.writeBigInt64BE(BigInt(from));
  head.writeBigInt64BE(BigInt(to), 8);
  head.writeUInt32BE(eventBytes.length, 16);
  const packed = gzipSync(Buffer.concat([head, eventBytes, rowsToBytes(records)]), { level });
  if (key === undefined) return packed;
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key.key, iv);
  cipher.setAAD(boundTo(place));
  return Buffer.concat([iv, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

/** Refuses whatever is no part of this place. */
export function decodePart(bytes: Buffer, place: PartPlace, key: SubjectKey | undefined): ArchivePart {
  const plain = unpacked(bytes, place, key);
  if (plain === undefined || plain.length < headBytes) throw alteredPart(place);
  const [from, to] = [Number(plain.readBigInt64BE()), Number(plain.readBigInt64BE(8))];
  const recordsAt = headBytes + plain.readUInt32BE(16);
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from >= to || recordsAt > plain.length)
    throw alteredPart(place);
  const events = rowsFromBytes(plain.subarray(headBytes, recordsAt), fieldsOfRow);
  return { from, to, events, records: rowsFromBytes(plain.subarray(recordsAt), fieldsOfRow) };
}

function unpacked(bytes: Buffer, place: PartPlace, key: SubjectKey | undefined): Buffer | undefined {
  try {
    return gunzipSync(key === undefined ? bytes : opened(bytes, place, key), {
      maxOutputLength: maxPlainBytes,
    });
  } catch {
    return undefined;
  }
}

function opened(bytes: Buffer, place: PartPlace, { key }: SubjectKey): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(boundTo(place));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
}

const boundTo = ({ store, low, number }: PartPlace): Buffer =>
  Buffer.from(`svc-archive-1\n${store}\n${low}\n${number}`);

export const alteredPart = ({ low, number }: PartPlace): Problem =>
  new Problem('archive-altered', {
    detail: `Part ${number} of the archive of segment ${low} is not what was written: it was altered, or has another key.`,
  });
