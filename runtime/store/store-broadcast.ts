import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';

type Rows = Pick<Database, 'rows'>;

/** A running host and what it declares. */
interface BroadcastingHost {
  readonly id: Uuid;
  readonly name: string;
  readonly broadcast: boolean;
}

export interface BroadcastState {
  /** The running hosts that do the opposite. */
  readonly differing: readonly string[];
  /** What the command line follows. */
  readonly recorded: boolean;
}

/** A host that was not seen for this long has ended. */
const hostSeenMs = 30_000;

/** Whether the store broadcasts; undefined: no host has started yet, or none of a version that records it. */
export async function storeBroadcasts(database: Rows): Promise<boolean | undefined> {
  const [[broadcast] = []] = await database.rows({
    text: `SELECT to_jsonb(s) ->> 'broadcast' FROM svc_store s`,
  });
  return typeof broadcast === 'string' ? broadcast === 'true' : undefined;
}

/** A host in the list of the running ones. */
export interface ListedHost {
  /** Says that the host still runs; the first call also records in the store what the host declares. */
  seen(): Promise<BroadcastState>;
  stopped(): Promise<void>;
}

export function listedHost(database: Rows, host: BroadcastingHost): ListedHost {
  let last: Promise<unknown> = Promise.resolve();
  return {
    seen: () => {
      const state = noteHost(database, host);
      last = state;
      return state;
    },
    stopped: async () => {
      // A call that arrived after the removal would list the host again, as the one that started last.
      await last.catch(() => undefined);
      await database.rows({ text: 'SELECT svc_forget_host($1)', values: [host.id] });
    },
  };
}

async function noteHost(database: Rows, { id, name, broadcast }: BroadcastingHost): Promise<BroadcastState> {
  const [[differing, recorded] = []] = await database.rows({
    name: 'svc_note_host',
    text: 'SELECT to_json(differing), recorded FROM svc_note_host($1, $2, $3, $4)',
    values: [id, name, broadcast, hostSeenMs],
  });
  return { differing: JSON.parse(differing ?? '[]') as string[], recorded: recorded === 't' };
}

export async function setBroadcast(database: Rows, broadcast: boolean): Promise<void> {
  await database.rows({ text: 'SELECT svc_set_broadcast($1)', values: [broadcast] });
}
