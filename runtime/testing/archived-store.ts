import { archiveSegments } from '../archive/archive-segments.js';
import { attachSegments } from '../archive/attach-segments.js';
import { folderFiles } from '../archive/folder-files.js';
import { execute } from '../kit/database.js';
import type { Database } from '../database/database.js';
import { sealSegments } from '../segments/seal-segments.js';
import { storeKey } from '../trust/store-key.js';
import { testRecorder } from './small-segments.js';

interface Connections {
  readonly database: Database;
  readonly owner: Database;
}

const by = { operator: { ...testRecorder, changedBy: 'ann' } };
const filesOf = (folder = '') => folderFiles(folder);
const progress = (): void => undefined;

/** As if every follower had read the log, and every segment had been sealed long ago. */
export const letSegmentsLeave = (url: string): Promise<void> =>
  execute(
    url,
    `UPDATE svc_progress SET position = svc_head(); UPDATE svc_segments SET sealed_at = sealed_at - interval '8 days', indexed = high`,
  );

/** Seals what is full and archives it in a folder; returns the position behind the last archived one. */
export async function archiveAll(
  url: string,
  { database, owner }: Connections,
  location: string,
): Promise<number> {
  while ((await sealSegments(database, testRecorder)).length > 0);
  await letSegmentsLeave(url);
  const order = { database, owner, by, filesOf, location, keys: undefined, days: 7, progress };
  const { archived } = await archiveSegments({ ...order, storeKey: () => storeKey(database, {}) });
  return archived.at(-1)?.high ?? 0;
}

/** Attaches all archived segments from this one on. */
export const attachFrom = ({ database, owner }: Connections, low: number) =>
  attachSegments({ database, owner, by, filesOf, location: undefined, keys: undefined, progress }, low);
