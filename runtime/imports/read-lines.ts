import { isAscii, isUtf8 } from 'node:buffer';
import { fileProblem } from './event-file.js';

/** A line of a file that is not blank. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly bytes: number;
}

/** An event is rarely larger than the body of the request that caused it: 1 MiB, unless SVC_BODY_LIMIT says more. */
const maxLineBytes = 16 * 1024 * 1024;
const newline = 0x0a;

/** The lines of a file, in groups as they arrive; at most one line is kept in memory beside what has arrived. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  most: number = maxLineBytes,
): AsyncGenerator<readonly Line[]> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let number = 0;
  const lineOf = (text: string, bytes: number): Line | undefined => {
    number++;
    return text.trim() === '' ? undefined : { number, text, bytes };
  };
  const textOf = (bytes: Buffer): string => {
    if (!isUtf8(bytes)) throw fileProblem(number + 1, 'it is not UTF-8');
    return bytes.toString('utf8');
  };
  const mustBeShort = (bytes: number): void => {
    if (bytes > most) throw fileProblem(number + 1, `it is longer than ${most} bytes`);
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    // Nearly always: a fifth of the time.
    const isPlain = isAscii(bytes);
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      mustBeShort(restBytes + end - from);
      const text =
        isPlain && restBytes === 0
          ? bytes.toString('latin1', from, end)
          : textOf(Buffer.concat([...rest, bytes.subarray(from, end)]));
      const line = lineOf(text, restBytes + end - from);
      if (line !== undefined) lines.push(line);
      if (restBytes > 0) rest = [];
      restBytes = 0;
      from = end + 1;
    }
    if (from < bytes.length) rest.push(Buffer.from(bytes.subarray(from)));
    restBytes += bytes.length - from;
    mustBeShort(restBytes);
    if (lines.length > 0) yield lines;
  }
  const line = restBytes === 0 ? undefined : lineOf(textOf(Buffer.concat(rest)), restBytes);
  if (line !== undefined) yield [line];
}
