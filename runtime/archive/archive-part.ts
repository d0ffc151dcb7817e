import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Problem } from '../../contracts/problems.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import type { LogRows } from './segment-digest.js';
import { eventFields, recordFields, rowsFromBytes, rowsToBytes } from './segment-rows.js';

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
const headBytes = 4;
const ivBytes = 12;
const tagBytes = 16;
/** Level 6 takes twice the time and saves a tenth. */
const level = 4;

export function encodePart(rows: LogRows, place: PartPlace, key: SubjectKey | undefined): Buffer {
  const packed = gzipSync(plainPart(rows), { level });
  if (key === undefined) return packed;
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key.key, iv);
  cipher.setAAD(boundTo(place));
  return Buffer.concat([iv, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

function plainPart({ events, records }: LogRows): Buffer {
  const head = Buffer.alloc(headBytes);
  const eventBytes = rowsToBytes(events);
  head.writeUInt32BE(eventBytes.length);
  return Buffer.concat([head, eventBytes, rowsToBytes(records)]);
}

/** Every byte of these rows, and nothing else. What is in the file is not trusted: no more than their size is unpacked. */
export function isPartOf(
  rows: LogRows,
  bytes: Buffer,
  place: PartPlace,
  key: SubjectKey | undefined,
): boolean {
  const plain = plainPart(rows);
  return unpacked(bytes, place, key, plain.length)?.equals(plain) === true;
}

/** Refuses what was altered after it was encrypted; the caller compares what is not encrypted. */
export function decodePart(bytes: Buffer, place: PartPlace, key: SubjectKey | undefined): LogRows {
  const plain = unpacked(bytes, place, key, maxPlainBytes);
  if (plain === undefined || plain.length < headBytes) throw alteredPart(place);
  const recordsAt = headBytes + plain.readUInt32BE();
  return {
    events: rowsFromBytes(plain.subarray(headBytes, recordsAt), eventFields),
    records: rowsFromBytes(plain.subarray(recordsAt), recordFields),
  };
}

function unpacked(
  bytes: Buffer,
  place: PartPlace,
  key: SubjectKey | undefined,
  maxOutputLength: number,
): Buffer | undefined {
  try {
    return gunzipSync(key === undefined ? bytes : opened(bytes, place, key), { maxOutputLength });
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
