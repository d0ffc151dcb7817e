import { Problem } from '../../contracts/problems.js';
import { isTimestamp } from '../../contracts/scalars.js';
import { systemPart } from '../console/sources/host/system-stream-part.js';
import type { Found, OperatorQuestion } from './operator-tool.js';

const pageSize = 100;

/** Records of the system stream, newest first, as the console finds them. */
export async function searchAudit(
  { database, texts, numbers, withBodies }: OperatorQuestion,
  only?: string,
): Promise<Found> {
  const { correlation, user, tenant, stream, host, status, since, until, command, type = only } = texts;
  for (const time of [since, until])
    if (time !== undefined && !isTimestamp(time))
      throw new Problem('invalid-query', {
        detail: 'since and until must be times such as 2026-12-01T00:00:00Z.',
      });
  const part = systemPart(database);
  const filter = {
    type,
    command,
    correlation,
    user,
    tenant,
    stream,
    host,
    since,
    until,
    status: statusIn(status),
  };
  const { records, before } = await part.page(filter, numbers['before'], pageSize);
  const rows = withBodies
    ? await Promise.all(
        records.map(async (one) => ({ ...one, data: (await part.record(one.position))?.data })),
      )
    : records;
  return { rows, next: before, positions: records.map(({ position }) => position) };
}

const statusIn = (text: string | undefined): 'failed' | 'succeeded' | undefined =>
  text === 'failed' || text === 'succeeded' ? text : undefined;
