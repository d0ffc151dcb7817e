import type { Child, Running } from '../../actors/supervisor/child.js';
import { recorderOf } from '../../runtime/service/change-recorder.js';
import type { Database } from '../../runtime/database/database.js';
import { log } from '../../runtime/log.js';
import { makeSegments, sealSegments } from '../../runtime/segments/seal-segments.js';
import type { Service } from '../../runtime/service/service.js';
import type { ChangeRecorder } from '../../runtime/store/append-records.js';

const everyMs = 60_000;

/** Makes segments of the log ahead of time, and seals those that are full. */
export const keepSegments = (
  database: Database,
  { parts }: Pick<Service, 'parts'>,
  host: string,
  periodMs = everyMs,
): Child => ({
  name: 'segments',
  start: () => startKeeping(database, recorderOf(parts, host), periodMs),
});

function startKeeping(database: Database, recorder: ChangeRecorder, periodMs: number): Running {
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
