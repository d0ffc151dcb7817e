import { svc } from '../../testing/spawned-host.js';
import { inStore } from '../harness/cluster-queries.js';
import { checkConsistency, type Findings, type SentCommand } from '../harness/consistency-check.js';
import { readStoredState } from '../harness/stored-state.js';
import { holdsWithin } from '../scenarios/scenario.js';
import { checkPublished, longestStall, type PublishedFindings } from './published-check.js';
import { readPublished } from '../../../runtime/testing/published-messages.js';

/** The state of a store and its broker after a fault. */
export interface TrioFindings extends Findings, PublishedFindings {
  /** Read models or the outbox that have not reached the end of the log. */
  readonly behind: number;
  readonly chainHolds: boolean;
  /** The longest time without a message in the broker since the round began. */
  readonly stallMs: number;
}

interface Checked {
  readonly store: string;
  readonly broker: string;
  readonly sent: readonly SentCommand[];
  /** When the round began, in milliseconds. */
  readonly since: number;
}

const settleMs = 300_000;

/** Compares the answers of clients with what is stored and published, once everything has been processed. */
export async function checkTrio({ store, broker, sent, since }: Checked): Promise<TrioFindings> {
  const head = await numberIn(store, headQuery);
  const behind = () => numberIn(store, behindQuery, [head]);
  await holdsWithin('everything is processed', settleMs, async () => (await behind()) === 0);
  // Before the events: a process stores more of them meanwhile.
  const published = await readPublished(broker);
  const events = await inStore(store, (database) =>
    database.rows({ text: 'SELECT event_id, global_position > $1 FROM svc_events', values: [head] }),
  );
  const ids = (isLater: boolean) =>
    events.filter(([, later]) => (later === 't') === isLater).map(([id]) => id ?? '');
  const verified = await svc(['audit', 'verify', '--events'], { DATABASE_URL: store });
  return {
    ...checkConsistency(sent, await inStore(store, (database) => readStoredState(database))),
    ...checkPublished(ids(false), published, ids(true)),
    behind: await behind(),
    chainHolds: verified.code === 0,
    stallMs: longestStall(published, since),
  };
}

/** The number of violations; a loss that was declared possible is not one. */
export const violationsIn = (findings: TrioFindings, mode: 'sync' | 'async'): number => {
  const { lost, unaudited, ghosts, doubled, missing, phantom, unpublished, publishedTwice, behind } =
    findings;
  const always = [
    doubled,
    missing,
    phantom,
    unpublished,
    publishedTwice,
    behind,
    findings.chainHolds ? 0 : 1,
  ];
  return [...always, ...(mode === 'sync' ? [lost, unaudited, ghosts] : [])].reduce(
    (sum, next) => sum + next,
    0,
  );
};

const headQuery = 'SELECT svc_head()';

/** The outbox is done when nothing waits: its cursor need not pass what is not published. */
const behindQuery = `SELECT (SELECT count(*) FROM svc_perspectives p LEFT JOIN svc_progress c ON c.name = p.table_name
    WHERE coalesce(c.position, 0) < $1)
  + (SELECT least(count(*), 1) FROM svc_outbox_pending)
  + (SELECT CASE WHEN count(*) = 0 THEN 2 ELSE 0 END FROM svc_perspectives)`;

const numberIn = (url: string, text: string, values: unknown[] = []): Promise<number> =>
  inStore(url, async (database) => Number((await database.rows({ text, values }))[0]?.[0]));
