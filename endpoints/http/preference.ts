import { Problem } from '../../contracts/problems.js';

const longestWait = 60;

/** How long `Prefer: wait=<seconds>` lets the answer wait for perspectives; undefined when nobody asks (RFC 7240). */
export function waitOf(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const preferences = String(header).split(/[,;]/);
  const wait = preferences.map((text) => /^\s*wait\s*=\s*"?([^"]*?)"?\s*$/i.exec(text)?.[1]);
  const asked = wait.find((text) => text !== undefined);
  if (asked === undefined) return undefined;
  const seconds = /^\d{1,4}$/.test(asked) ? Number(asked) : Number.NaN;
  if (seconds >= 0 && seconds <= longestWait) return seconds;
  throw new Problem('invalid-header', {
    detail: `Prefer: wait must be a whole number of seconds from 0 to ${longestWait}.`,
  });
}
