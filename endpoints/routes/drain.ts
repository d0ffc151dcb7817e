import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { Connections } from '../http/connections.js';

export interface Draining {
  is: 'no' | 'closing' | 'refusing';
}

/** A host announces its stop for a second before: 8 s after the signal. */
const abortAfterMs = 7_000;
const closeAfterMs = 7_500;

/** Answers what is in flight, then closes. */
export async function drain(
  app: FastifyInstance,
  connections: Connections,
  draining: Draining,
): Promise<void> {
  draining.is = 'closing';
  connections.stopAccepting();
  const abort = setTimeout(() => {
    draining.is = 'refusing';
    connections.abortAll(new Problem('draining'));
  }, abortAfterMs);
  await Promise.race([connections.whenClosed(), delay(closeAfterMs, undefined, { ref: false })]);
  clearTimeout(abort);
  await app.close();
}
