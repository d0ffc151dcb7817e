import type { Long, Uuid } from '../../contracts/scalars.js';
import { CopiedEvents, copyText } from './copied-event.js';
import type { LogEntry } from './log-entry.js';
import type { RebuildPorts } from './rebuild-run.js';

const pageSize = 50_000;
/** So many positions are looked at for one page, however rare the types are. */
const window = 200_000;

/** Reads the log from one position to another in binary copies; each entry is handed on as it comes in, and kept by nobody. */
export async function* copiedPages(
  ports: Pick<RebuildPorts, 'reader' | 'perspective' | 'upcasters' | 'record' | 'limits'>,
  after: Long,
  target: Long,
  read: (entry: LogEntry) => void,
): AsyncGenerator<{ readonly count: number; readonly to: Long }> {
  const { reader, perspective, upcasters, record, limits } = ports;
  const rows = await reader.rows({ text: 'SELECT origin, store FROM svc_origins' });
  const stores = new Map(rows.map(([origin, store]) => [Number(origin), (store ?? '') as Uuid]));
  const copied = new CopiedEvents(stores, upcasters);
  const limit = Math.max(1, Math.min(limits?.page ?? pageSize, record.maxRate ?? pageSize));
  for (let from = after; from < target;) {
    const end = Math.min(target, from + window);
    const text = copyText(perspective.events, { after: from, to: end, limit });
    let count = 0;
    let last = from;
    await reader.copyBytes(text, (message, at) => {
      const entry = copied.entryOf(message, at);
      count++;
      last = entry.event.globalPosition;
      read(entry);
    });
    from = count < limit ? end : last;
    yield { count, to: from };
  }
}
