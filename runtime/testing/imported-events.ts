import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { importEvents, type ImportOptions, type ImportReport } from '../imports/import-events.js';
import { readEvents } from '../imports/read-events.js';
import { testRecorder } from './small-segments.js';

interface LineFields {
  readonly streamId: Uuid;
  readonly streamPosition?: number;
  readonly eventId: Uuid;
  readonly eventType: string;
  readonly occurredAt: string;
  readonly metadata?: object;
  readonly data: object;
}

/** An event of a file, a year before it is imported. */
export const lineOf = (over: Partial<LineFields> = {}): LineFields => ({
  streamId: newUuid(),
  eventId: newUuid(),
  eventType: 'Baked',
  occurredAt: '2025-01-02T03:04:05.000006Z',
  data: { loaves: 3 },
  ...over,
});

export const fileOf = (lines: readonly object[]): string =>
  [{ format: 'svc-events', v: 1 }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');

export const importText = (
  owner: Pick<Database, 'session'>,
  text: string,
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> =>
  importEvents(owner, readEvents(piecesOf(text), Date.now()), {
    recorder: testRecorder,
    actor: 'ann',
    publish: false,
    ...options,
  });

/** As many lines as arrive at once from a file. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
}

const pieceBytes = 256 * 1024;
