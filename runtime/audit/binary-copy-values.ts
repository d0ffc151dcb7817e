import type { CopiedRow } from '../database/copy-out.js';
import { microsUntil2000, type RecordContent } from './chain.js';

/** A bigint in binary COPY format; -1 when it is not one. */
export const longOf = (bytes: Buffer | null | undefined): number =>
  bytes?.length === 8 ? bytes.readInt32BE(0) * 0x1_0000_0000 + bytes.readUInt32BE(4) : -1;

/** A timestamptz in binary COPY format, in microseconds since 1970. */
export const timeOf = (bytes: Buffer | null | undefined): number => longOf(bytes) + microsUntil2000;

const nothing = Buffer.alloc(0);

/** The columns event_type, data, metadata, host and publish. */
export const contentOf = ([type, data, metadata, host, publish]: CopiedRow): RecordContent => ({
  type: type ?? nothing,
  data: data ?? nothing,
  metadata: metadata ?? nothing,
  host: host ?? nothing,
  publish: publish?.[0] === 1,
});
