import { basename } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { redacted } from '../../contracts/redaction.js';
import { isApplicationFrame } from './application-frames.js';
import type { Secrets } from './secrets.js';
import { thrownMessage, thrownName, thrownStack } from '../lang/thrown.js';

/** An error for the log whose message has no sensitive value; what it was and where stays. */
export function hiddenError(error: unknown, secrets?: Secrets): Problem {
  const detail = secrets === undefined ? hiddenText(error) : shownMessage(error, secrets);
  const shown = new Problem(error instanceof Problem ? error.code : 'unexpected', { detail });
  shown.name = error instanceof Error ? thrownName(error) : typeof error;
  shown.stack = [`${shown.name}: ${detail}`, framesOf(error)].join('\n');
  return shown;
}

/** The message of an error without the values of sensitive fields. The title of a Problem holds none. */
export const shownMessage = (error: unknown, secrets: Secrets): string =>
  isTitleOnly(error) ? error.title : secrets.hideIn(thrownMessage(error));

/**
 * Stands for a message that may hold sensitive values nobody has at hand: the title of a Problem, the length of the text,
 * and where it was thrown, in the application if it was there.
 */
export function hiddenText(error: unknown, message = thrownMessage(error)): string {
  if (isTitleOnly(error)) return error.title;
  const title = error instanceof Problem && error.title !== error.code ? `${error.title}: ` : '';
  const location = locationOf(framesOf(error));
  return `${title}${redacted} (${message.length} characters)${location === undefined ? '' : ` at ${location}`}`;
}

const isTitleOnly = (error: unknown): error is Problem =>
  error instanceof Problem && error.detail === undefined;

function locationOf(frames: string): string | undefined {
  const lines = frames.split('\n');
  const [location] = /[^\s()/\\]+:\d+:\d+/.exec(lines.find(isApplicationFrame) ?? frames) ?? [];
  return location === undefined ? undefined : basename(location);
}

/** The stack frames without the message. */
export const framesOf = (error: unknown): string =>
  thrownStack(error)
    .split('\n')
    .filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line))
    .join('\n');
