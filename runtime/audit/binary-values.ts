/** How often whoever waits for a verification is told about it, in records. */
export const progressEvery = 10_000;

const microsUntil2000 = 946_684_800_000_000;

/** A bigint as it is copied out; -1 when it is none. */
export const longOf = (bytes: Buffer | null | undefined): number =>
  bytes?.length === 8 ? bytes.readInt32BE(0) * 0x1_0000_0000 + bytes.readUInt32BE(4) : -1;

/** A timestamptz as it is copied out, in microseconds since 1970. */
export const timeOf = (bytes: Buffer | null | undefined): number => longOf(bytes) + microsUntil2000;
