import { isObject } from '../../contracts/codec-scalars.js';
import { Problem } from '../../contracts/problems.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';

/** The format of a file of events: one JSON object per line, the first of which is a header. */
const eventFileFormat = 'svc-events';
const eventFileVersion = 1;

/** The first line of a file that was exported; of one made elsewhere, `format` and `v` suffice. */
interface EventFileHeader {
  readonly format: typeof eventFileFormat;
  readonly v: typeof eventFileVersion;
  /** The store that it comes from. */
  readonly store?: Uuid;
  /** The last position that it covers. */
  readonly head?: Long;
  readonly exportedAt?: Timestamp;
}

export const headerLine = (header: Omit<EventFileHeader, 'format' | 'v'>): string =>
  JSON.stringify({ format: eventFileFormat, v: eventFileVersion, ...header });

/** Refuses a file that does not begin with a header that this version knows. */
export function checkHeader(text: string | undefined): void {
  // A mark of the byte order, which some programs write, counts as white space.
  const header = objectIn((text ?? '').trim());
  if (header?.['format'] !== eventFileFormat)
    throw fileProblem(1, `it must be the header {"format":"${eventFileFormat}","v":${eventFileVersion}}`);
  if (header['v'] !== eventFileVersion)
    throw fileProblem(
      1,
      `the file has another version of the format than ${eventFileVersion}, which this svc reads`,
    );
}

/** The object in a line; undefined where it holds anything else. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isObject(value) ? value : undefined;
}

export const fileProblem = (line: number, fault: string): Problem =>
  new Problem('invalid-event', { detail: `Line ${line}: ${fault}.` });
