import { Problem } from '../../contracts/problems.js';
import { redacted } from '../../contracts/redaction.js';
import type { Secrets } from '../../runtime/logging/secrets.js';

export interface RedactedError {
  readonly name: string;
  readonly code: string | undefined;
}

/** The public part of an error: its name and code, if they look like a name and a code. */
export function redactError(error: unknown): RedactedError {
  if (!(error instanceof Error)) return { name: typeof error, code: undefined };
  try {
    const code = 'code' in error ? error.code : undefined;
    return { name: nameLike(nameOf(error)), code: code === undefined ? undefined : nameLike(code) };
  } catch {
    // A getter of the error threw; observing must not fail.
    return { name: redacted, code: undefined };
  }
}

/** Most classes of errors do not set the name, which is then that of their base. */
const nameOf = (error: Error): string => (error.name === 'Error' ? error.constructor.name : error.name);

const nameLike = (text: unknown): string =>
  typeof text === 'string' && /^[A-Za-z][\w.:-]{0,63}$/.test(text) ? text : redacted;

/** What a request record keeps of an error; its texts only where developers alone look. */
export interface RecordedError extends RedactedError {
  readonly message?: string;
  readonly stack?: string;
}

const longestMessage = 500;
const longestStack = 2_000;
const mostFaults = 5;

/** `withTexts`: also the message and, for an unexpected error, the stack, without sensitive values. */
export function recordError(error: unknown, withTexts: boolean, secrets?: Secrets): RecordedError {
  const shown = (text: string): string => secrets?.hideIn(text) ?? text;
  const bare = redactError(error);
  if (!withTexts || !(error instanceof Error)) return bare;
  try {
    const message = shown(messageOf(error)).slice(0, longestMessage);
    // A problem is an answer; where it was created explains nothing.
    if (error instanceof Problem && error.cause === undefined) return { ...bare, message };
    const origin = error instanceof Problem ? error.cause : error;
    const stack = origin instanceof Error ? shown(String(origin.stack)).slice(0, longestStack) : undefined;
    return { ...bare, message, ...(stack === undefined ? {} : { stack }) };
  } catch {
    // A getter of the error threw; observing must not fail.
    return bare;
  }
}

function messageOf(error: Error): string {
  const faults = error instanceof Problem ? (error.errors ?? []) : [];
  const listed = faults.slice(0, mostFaults).map(({ path, message }) => `${path || '/'}: ${message}`);
  const more = faults.length > mostFaults ? [`and ${faults.length - mostFaults} more`] : [];
  return [error.message, ...listed, ...more].join('\n');
}
