import { basename } from 'node:path';
import { Problem } from '../contracts/problems.js';
import { redacted } from '../contracts/redaction.js';
import { thrownMessage, thrownName, thrownStack } from './thrown.js';

/** An error for the log without its message, which may contain a sensitive value; what it was and where stays. */
export function hiddenError(error: unknown): Problem {
  const stack = framesOf(error);
  const detail = hiddenText(thrownMessage(error), stack);
  const shown = new Problem(error instanceof Problem ? error.code : 'unexpected', { detail });
  shown.name = error instanceof Error ? thrownName(error) : typeof error;
  shown.stack = [`${shown.name}: ${detail}`, stack].join('\n');
  return shown;
}

/** Stands in for a message: its length, and where it was thrown. */
export function hiddenText(message: string, stack: string): string {
  const [location] = /[^\s()/\\]+:\d+:\d+/.exec(stack) ?? [];
  return `${redacted} (${message.length} characters)${location === undefined ? '' : ` at ${basename(location)}`}`;
}

/** The stack frames without the message. */
export const framesOf = (error: unknown): string =>
  thrownStack(error)
    .split('\n')
    .filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line))
    .join('\n');
