import { Problem } from '../../contracts/problems.js';
import type { Secrets } from '../../runtime/logging/secrets.js';
import { type RedactedError, redactError } from './redacted-error.js';

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
  const redacted = redactError(error);
  if (!withTexts || !(error instanceof Error)) return redacted;
  try {
    const message = shown(messageOf(error)).slice(0, longestMessage);
    // A problem is an answer; where it was created explains nothing.
    if (error instanceof Problem && error.cause === undefined) return { ...redacted, message };
    const origin = error instanceof Problem ? error.cause : error;
    const stack = origin instanceof Error ? shown(String(origin.stack)).slice(0, longestStack) : undefined;
    return { ...redacted, message, ...(stack === undefined ? {} : { stack }) };
  } catch {
    // A getter of the error threw; observing must not fail.
    return redacted;
  }
}

function messageOf(error: Error): string {
  const faults = error instanceof Problem ? (error.errors ?? []) : [];
  const listed = faults.slice(0, mostFaults).map(({ path, message }) => `${path || '/'}: ${message}`);
  const more = faults.length > mostFaults ? [`and ${faults.length - mostFaults} more`] : [];
  return [error.message, ...listed, ...more].join('\n');
}
