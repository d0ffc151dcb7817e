import type { Database } from '../database/database.js';
import { log } from '../logging/log.js';
import { periodically } from '../lang/periodically.js';
import type { ChangeRecorder } from '../store/append-records.js';
import { indexRecords } from './index-records.js';
import { makeSegments, sealSegments } from './seal-segments.js';

const everyMs = 60_000;

/** Makes segments of the log ahead of time, seals those that are full, and adds new records to the search. */
export const keepSegments = (
  database: Database,
  recorder: () => ChangeRecorder,
  periodMs = everyMs,
): { stop(): Promise<void> } =>
  periodically(periodMs, async (isStopped) => {
    try {
      await makeSegments(database);
      await sealSegments(database, recorder(), isStopped);
      await indexRecords(database, isStopped);
    } catch (err) {
      log.warn(
        { err },
        'the segments of the log could not be made, sealed or indexed; appends make what they need',
      );
    }
  });
