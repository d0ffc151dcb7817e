import { log } from '../../logging/log.js';
import { periodically } from '../../lang/periodically.js';

interface WatchedServer {
  readonly isRunning: () => Promise<boolean>;
  readonly start: () => Promise<void>;
}

const everyMs = 1_000;

/** Starts a server again that something else has stopped. */
export const keepRunning = ({ isRunning, start }: WatchedServer): { stop(): Promise<void> } =>
  periodically(everyMs, async () => {
    try {
      if (await isRunning()) return;
      log.warn('the embedded PostgreSQL was stopped by another program; starting it again');
      await start();
    } catch (err) {
      log.error({ err }, 'the embedded PostgreSQL could not be started again; trying every second');
    }
  });
