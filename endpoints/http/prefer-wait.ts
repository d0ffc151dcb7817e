import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';

const maxWaitSeconds = 60;

/** How long `Prefer: wait=<seconds>` (RFC 7240) lets the answer wait for perspectives, if it is there. */
export function waitOf(headers: IncomingHttpHeaders): number | undefined {
  const header = headers['prefer'];
  if (header === undefined) return undefined;
  for (const preference of String(header).split(/[,;]/)) {
    const asked = waitIn(preference);
    if (asked !== undefined) return secondsOf(asked);
  }
  return undefined;
}

function waitIn(preference: string): string | undefined {
  const equals = preference.indexOf('=');
  if (equals < 0 || preference.slice(0, equals).trim().toLowerCase() !== 'wait') return undefined;
  const value = preference.slice(equals + 1).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return isQuoted ? value.slice(1, -1) : value;
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= 0 && seconds <= maxWaitSeconds) return seconds;
  throw new Problem('invalid-header', {
    detail: `Prefer: wait must be a whole number of seconds from 0 to ${maxWaitSeconds}.`,
  });
}
