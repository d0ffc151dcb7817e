import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';
import { archiveSegments, type Archived, leastDays } from '../../runtime/archive/archive-segments.js';
import { attachSegments } from '../../runtime/archive/attach-segments.js';
import type { ArchivedSegment } from '../../runtime/archive/archived-segment.js';
import { verifyArchives } from '../../runtime/archive/verify-archives.js';
import { alone } from '../../runtime/database/alone.js';
import type { Database } from '../../runtime/database/database.js';
import { listSegments } from '../../runtime/segments/list-segments.js';
import { verifySegments } from '../../runtime/segments/verify-segments.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { masterKeyWrapper } from '../../runtime/subjects/master-key.js';
import { PostgresSubjectKeys } from '../../runtime/subjects/postgres-subject-keys.js';
import { storeKey } from '../../runtime/trust/store-key.js';
import { cliEditor } from '../cli/access-editor.js';
import type { Config } from '../config/config.js';
import { withApplication } from '../service/with-application.js';
import { progressBar } from '../terminal/progress-bar.js';
import { filesAt } from './archive-location.js';

export interface SegmentsRequest {
  /** Where the files are. */
  readonly location: string | undefined;
  /** The application with the keyWrapper. */
  readonly app: string | undefined;
  readonly reason: string | undefined;
  readonly days: number;
  /** The first position of a segment. */
  readonly low: number;
  /** Whether archived segments are read. */
  readonly archives: boolean;
}

export const archive = (connection: StoreConnection, config: Config, request: SegmentsRequest) =>
  changing('archiving', connection, config, request, (change) =>
    archiveSegments({
      ...change,
      days: request.days,
      storeKey: () => storeKey(connection.database, config),
    }),
  );

export const attach = (connection: StoreConnection, config: Config, request: SegmentsRequest) =>
  changing('attaching', connection, config, request, (change) => attachSegments(change, request.low));

type Change = Parameters<typeof attachSegments>[0] & { readonly keys: PostgresSubjectKeys | undefined };

/** With what archiving and attaching need, and while nothing else does either. */
function changing<T>(
  what: string,
  connection: StoreConnection,
  config: Config,
  { app, location, reason }: SegmentsRequest,
  body: (change: Change) => Promise<T>,
): Promise<T> {
  const { database } = connection;
  const by = { operator: cliEditor(config), reason };
  return withProgress(what, (progress) =>
    withKeys(database, config, app, (keys) =>
      alone(database, 'archive', () =>
        connection.asOwner((owner) =>
          body({ database, owner, by, keys, progress, location, filesOf: filesAt }),
        ),
      ),
    ),
  );
}

export function archivedText({ archived, stays }: Awaited<ReturnType<typeof archive>>): string {
  const lines = archived.map(
    ({ low, high, location, bytes, isEncrypted }: Archived) =>
      `Archived ${low} to ${high - 1} at ${location}: ${megabytes(bytes)}${isEncrypted ? '' : ', not encrypted'}.`,
  );
  if (stays !== undefined) lines.push(`${stays.low} to ${stays.high - 1} stays: ${stays.why}.`);
  return lines.length === 0 ? 'No segment is sealed.' : lines.join('\n');
}

export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

/** Archived segments are only read on request: that may take hours, and cost money. */
export async function verify(
  { database }: StoreConnection,
  config: Config,
  { archives, location, app }: SegmentsRequest,
) {
  const { segments } = await verifySegments(database);
  const archived = (await listSegments(database)).filter(({ state }) => state === 'archived');
  if (!archives) {
    const unread = archived.map(({ low, high, archive: files }) => ({
      low,
      high,
      location: files?.location,
    }));
    return { ok: isIntact(segments), segments, unread };
  }
  const read = await withProgress('verifying', (progress) =>
    withKeys(database, config, app, (keys) =>
      verifyArchives(database, { keys, location, progress, filesOf: filesAt }),
    ),
  );
  const all = [...read, ...segments];
  return { ok: isIntact(all), segments: all, unread: [] };
}

const isIntact = (segments: readonly { readonly faults: readonly unknown[] }[]): boolean =>
  segments.every(({ faults }) => faults.length === 0);

async function withProgress<T>(
  what: string,
  body: (progress: (segment: ArchivedSegment, done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const bar = progressBar(process.stderr, what);
  try {
    return await body(({ low, high }, done, total) => bar.show(done, total, `${low} to ${high - 1}`));
  } finally {
    bar.clear();
  }
}

/** The keys of archives are those of subjects. A store that has a master key writes nothing without it. */
async function withKeys<T>(
  database: Database,
  { masterKey, masterKeyOld }: Config,
  app: string | undefined,
  body: (keys: PostgresSubjectKeys | undefined) => Promise<T>,
): Promise<T> {
  const own = masterKey === undefined ? undefined : masterKeyWrapper(masterKey);
  const old = masterKeyOld === undefined ? undefined : masterKeyWrapper(masterKeyOld);
  const withWrapper = async (wrapper: KeyWrapper | undefined): Promise<T> => {
    if (wrapper !== undefined) return body(new PostgresSubjectKeys(database, wrapper, undefined, old));
    await mustHaveNoMasterKey(database);
    return body(undefined);
  };
  return app === undefined
    ? withWrapper(own)
    : withApplication(app, ({ keyWrapper = own }) => withWrapper(keyWrapper));
}

async function mustHaveNoMasterKey(database: Database): Promise<void> {
  const [row] = await database.rows({
    text: `SELECT 1 FROM svc_subject_keys WHERE subject = '' AND wrapped_key IS NOT NULL`,
  });
  if (row !== undefined)
    throw new Problem('invalid-setup', {
      detail:
        'This store has a master key, which its archives are encrypted with: set SVC_MASTER_KEY, or give the application with the keyWrapper: --app APP.',
    });
}

export function daysIn(text: string | undefined, usage: (detail: string) => Problem): number {
  const days = Number(text ?? leastDays);
  if (/^\d{1,5}$/.test(text ?? '7') && days >= leastDays) return days;
  throw usage(`--days must be a number of at least ${leastDays}`);
}
