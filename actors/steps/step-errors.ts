import { Problem } from '../../contracts/problems.js';
import { thrownMessage } from '../../runtime/lang/thrown.js';

/** The event cannot be handled by trying again; its key is parked until it is released. */
export class Unhandled extends Error {
  constructor(readonly problem: unknown) {
    super(thrownMessage(problem));
  }
}

/** Another version of the service may know what to do. */
export const unknownTimer = (detail: string): Unhandled =>
  new Unhandled(new Problem('timer-unknown', { detail }));

const noRefusals: ReadonlySet<string> = new Set([
  'stream-conflict',
  'duplicate-in-flight',
  'overtaken',
  'timer-gone',
  'client-gone',
  'request-timeout',
  'rate-limited',
]);

/** A receptor says no: an answer, not a failure. */
export const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && error.status >= 400 && error.status < 500 && !noRefusals.has(error.code);

/** The detail may hold a sensitive value, and a process may keep it in its context, or a reaction in a timer. */
export const withoutDetail = ({ code, status, title }: Problem): Problem =>
  new Problem(code, { status, title });
