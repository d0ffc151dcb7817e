import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { afterRunning } from '../../runtime/lang/after-running.js';
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
  const keepRunning = afterRunning(abortAfterMs, () => {
    draining.is = 'refusing';
    connections.abortAll(new Problem('draining'));
  });
  let keepOpen = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    keepOpen = afterRunning(closeAfterMs, resolve);
  });
  await connections.stopAccepting();
  await Promise.race([isOver, connections.whenClosed()]);
  keepOpen();
  keepRunning();
  await connections.untilRead();
  await app.close();
}
