import { writeSync } from 'node:fs';

const stdout = 1;
const againAfterMs = 100;
/** In bytes: what a reader that has stopped reading may leave unread. */
const mostWaiting = 1_048_576;

/**
 * Standard output without a terminal. A reader may stop or go at any time, and a disk may be full: the process serves
 * on. A line that cannot be written yet is kept for a while, one that cannot be written at all is dropped.
 */
export function logOutput(
  write: (text: string | Uint8Array) => number = (text) =>
    typeof text === 'string' ? writeSync(stdout, text) : writeSync(stdout, text),
): { write(line: string): void } {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;

  const keep = (rest: Buffer): void => {
    waiting.push(rest);
    bytes += rest.length;
    timer ??= setTimeout(flush, againAfterMs).unref();
  };

  /** False: nothing can be written now. */
  const tryToWrite = (text: Buffer | string): boolean => {
    try {
      const written = write(text);
      const length = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
      if (written < length) keep(Buffer.from(text).subarray(written));
      return written >= length;
    } catch (error) {
      if (!isBusy(error)) return true;
      keep(Buffer.from(text));
      return false;
    }
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
    if (text.length > 0 && !tryToWrite(text)) return;
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    tryToWrite(
      `${JSON.stringify({ level: 'warn', lines: count, msg: 'lines of the log were dropped: nobody read them' })}\n`,
    );
  };

  // The last words are tried once: a process that has to exit waits for no reader.
  process.once('exit', flush);
  return {
    write: (line) => {
      if (waiting.length === 0) tryToWrite(line);
      else if (bytes + line.length > mostWaiting) dropped++;
      else keep(Buffer.from(line));
    },
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
