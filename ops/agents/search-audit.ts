import type { SystemFilter } from '../console/model/system-records.js';
import { systemPart } from '../console/sources/host/system-stream-part.js';
import type { AskedStore, Found } from './operator-tool.js';

const pageSize = 100;

interface AskedRecords extends SystemFilter {
  readonly before?: number | undefined;
}

/** Records of the system stream, newest first, as the console finds them. */
export async function searchAudit(
  { before: end, ...filter }: AskedRecords,
  { database, withBodies }: AskedStore,
): Promise<Found> {
  const part = systemPart(database);
  const { records, before } = await part.page(filter, end, pageSize);
  const rows = withBodies
    ? await Promise.all(
        records.map(async (one) => ({ ...one, data: (await part.record(one.position))?.data })),
      )
    : records;
  return { rows, next: before, positions: records.map(({ position }) => position) };
}
