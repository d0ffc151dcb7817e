import type { Long, Uuid } from '../../contracts/scalars.js';
import { CopiedEvents, copyText } from './copied-event.js';
import type { LogEntry } from './log-entry.js';
import type { RebuildPorts } from './rebuild-run.js';

export interface CopiedPage {
  readonly entries: readonly LogEntry[];
  /** Nothing is left unread up to here. */
  readonly to: Long;
}

const pageSize = 20_000;
/** So many positions are looked at for one page, however rare the types are. */
const window = 200_000;

/** The log from one position to another, in binary copies; the next page is on its way while the last one is worked on. */
export async function* copiedPages(
  ports: Pick<RebuildPorts, 'reader' | 'perspective' | 'upcasters' | 'record'>,
  after: Long,
  target: Long,
): AsyncGenerator<CopiedPage> {
  const { reader } = ports;
  const rows = await reader.rows({ text: 'SELECT origin, store FROM svc_origins' });
  const stores = new Map(rows.map(([origin, store]) => [Number(origin), (store ?? '') as Uuid]));
  let next = pageAfter(ports, stores, after, target);
  for (let at = after; at < target;) {
    const page = await next;
    if (page.to < target) {
      next = pageAfter(ports, stores, page.to, target);
      // Whoever stops early does not ask for it.
      next.catch(() => undefined);
    }
    yield page;
    at = page.to;
  }
}

async function pageAfter(
  { reader, perspective, upcasters, record }: Parameters<typeof copiedPages>[0],
  stores: ReadonlyMap<number, Uuid>,
  after: Long,
  target: Long,
): Promise<CopiedPage> {
  const limit = Math.max(1, Math.min(pageSize, record.maxRate ?? pageSize));
  const to = Math.min(target, after + window);
  const copied = new CopiedEvents(stores, upcasters);
  const entries: LogEntry[] = [];
  const text = copyText(perspective.events, { after, to, limit });
  await reader.copyOut(text, (row) => entries.push(copied.entryOf(row)));
  return { entries, to: entries.length < limit ? to : (entries.at(-1)?.event.globalPosition ?? to) };
}
