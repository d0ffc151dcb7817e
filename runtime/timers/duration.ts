import { Problem, type ProblemCode } from '../../contracts/problems.js';
import { type Duration, isDuration } from '../../contracts/scalars.js';

const tenYearsMs = 10 * 365.25 * 24 * 60 * 60_000;

/** The length of an ISO 8601 duration of days, hours, minutes and seconds. A day has 24 hours. */
export function millisecondsOf(
  duration: Duration,
  name: string,
  code: ProblemCode = 'invalid-timer',
): number {
  const invalid = (reason: string): Problem => new Problem(code, { detail: `${reason}.` });
  if (!isDuration(duration) || duration.startsWith('-'))
    throw invalid(`${name} '${String(duration).slice(0, 40)}' is not a duration such as PT15M or P3D`);
  const [days = '', time = ''] = duration.slice(1).split('T');
  const part = (text: string, unit: string): number =>
    Number(new RegExp(String.raw`(\d+(?:\.\d+)?)${unit}`).exec(text)?.[1] ?? 0);
  const hours = part(days, 'D') * 24 + part(time, 'H');
  const ms = Math.round(((hours * 60 + part(time, 'M')) * 60 + part(time, 'S')) * 1_000);
  if (ms > tenYearsMs) throw invalid(`${name} '${duration.slice(0, 40)}' is more than ten years`);
  return ms;
}
