const microsUntil2000 = 946_684_800_000_000;

/** A bigint in binary COPY format; -1 when it is not one. */
export const longOf = (bytes: Buffer | null | undefined): number =>
  bytes?.length === 8 ? bytes.readInt32BE(0) * 0x1_0000_0000 + bytes.readUInt32BE(4) : -1;

/** A timestamptz in binary COPY format, in microseconds since 1970. */
export const timeOf = (bytes: Buffer | null | undefined): number => longOf(bytes) + microsUntil2000;
