import type { Child, Running } from '../../actors/supervisor/child.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import type { Database } from '../../runtime/database/database.js';
import { log } from '../../runtime/log.js';
import { makeSegments, type SealRecorder, sealSegments } from '../../runtime/segments/seal-segments.js';
import type { Service } from '../../runtime/service/service.js';

const everyMs = 60_000;

/** Makes segments of the log ahead of time, and seals those that are full. */
export const keepSegments = (
  database: Database,
  { parts }: Pick<Service, 'parts'>,
  host: string,
  periodMs = everyMs,
): Child => {
  const { policy, hooks, systemEventsRegistered } = parts;
  const recordOf = (message: SystemMessage) => systemRecord(message, {}, policy);
  const recorder: SealRecorder = systemEventsRegistered
    ? { host, recordOf, committed: (records) => hooks.committed(records) }
    : { host };
  return { name: 'segments', start: () => startKeeping(database, recorder, periodMs) };
};

function startKeeping(database: Database, recorder: SealRecorder, periodMs: number): Running {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const keep = async (): Promise<void> => {
    try {
      await makeSegments(database);
      await sealSegments(database, recorder, () => isStopped);
    } catch (err) {
      log.warn({ err }, 'the segments of the log could not be made or sealed; appends make what they need');
    }
    schedule();
  };
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = keep();
    }, periodMs);
  };
  schedule();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
