import type { ProgressItem } from '../../model/overview.js';
import type { ReceivedRecord } from './received-record.js';

/** A piece of work, identified by its key. */
export interface WorkProgress extends ProgressItem {
  readonly key: string;
}

type ProgressRecord = Pick<ReceivedRecord, 'eventType' | 'data' | 'host' | 'store' | 'recordedAt'>;

/** The events of rebuilds and migrations. */
export const progressTypes: readonly string[] = [
  'PerspectiveRebuildStarted',
  'PerspectiveRebuildProgress',
  'PerspectiveRebuildCompleted',
  'PerspectiveRebuildFailed',
  'MigrationBatchStarted',
  'MigrationItemCompleted',
  'MigrationItemFailed',
  'MigrationBatchCompleted',
];

const maxKept = 50;

/** Newest first: moves the work of this record, with its new state, to the front. */
export function progressAfter(
  known: readonly WorkProgress[],
  record: ProgressRecord,
): readonly WorkProgress[] {
  const { eventType, data, host, store, recordedAt } = record;
  if (!progressTypes.includes(eventType)) return known;
  const isRebuild = eventType.startsWith('PerspectiveRebuild');
  const what = isRebuild ? `rebuild of ${textOf(data['perspectiveName'])}` : 'migrations';
  const key = `${store} ${isRebuild ? '' : host} ${what}`;
  const before = known.find((one) => one.key === key);
  const now = isRebuild
    ? rebuildProgress(eventType, data, before)
    : migrationProgress(eventType, data, before);
  if (now === undefined) return known;
  const others = known.filter((one) => one.key !== key);
  return [{ key, host, what, at: recordedAt, ...now }, ...others].slice(0, maxKept);
}

type ProgressState = Pick<WorkProgress, 'done' | 'total' | 'state' | 'detail'>;

function rebuildProgress(
  type: string,
  data: ProgressRecord['data'],
  before: WorkProgress | undefined,
): ProgressState {
  const { done = 0, total = 0 } = before ?? {};
  const detail = textOf(data['mode']);
  switch (type) {
    case 'PerspectiveRebuildStarted':
      return { done: 0, total: numberOf(data['totalStreams']), state: 'running', detail };
    case 'PerspectiveRebuildProgress': {
      const all = numberOf(data['totalStreams']);
      return { done: numberOf(data['processedStreams']), total: all, state: 'running', detail };
    }
    case 'PerspectiveRebuildCompleted': {
      const all = numberOf(data['streamsProcessed']);
      return { done: all, total: all, state: 'completed', detail };
    }
    default:
      return { done, total, state: 'failed', detail: textOf(data['error']) };
  }
}

/** An item that is replayed in the background completes once more, after its batch. */
function migrationProgress(
  type: string,
  data: ProgressRecord['data'],
  before: WorkProgress | undefined,
): ProgressState | undefined {
  if (type === 'MigrationBatchStarted') {
    const total = numberOf(data['totalMigrations']) + numberOf(data['totalPerspectives']);
    return { done: 0, total, state: 'running' };
  }
  if (type === 'MigrationBatchCompleted') {
    const results = Array.isArray(data['results']) ? data['results'].length : 0;
    const failed = numberOf(data['failed']);
    const detail = ['applied', 'updated', 'skipped', 'failed']
      .filter((name) => numberOf(data[name]) > 0)
      .map((name) => `${numberOf(data[name])} ${name}`)
      .join(', ');
    return { done: results, total: results, state: failed > 0 ? 'failed' : 'completed', detail };
  }
  if (before?.state !== 'running') return undefined;
  const { done, total } = before;
  return { done: Math.min(total, done + 1), total, state: 'running', detail: textOf(data['migrationKey']) };
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 300) : '');
