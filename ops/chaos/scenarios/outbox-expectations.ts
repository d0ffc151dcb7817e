import { inStore } from '../harness/cluster-queries.js';
import { type Expectation, holdsWithin } from './scenario.js';

const numberIn = (url: string, text: string): Promise<number> =>
  inStore(url, async (database) => Number((await database.rows({ text }))[0]?.[0]));

const outboxCursor = (url: string): Promise<number> =>
  numberIn(url, "SELECT position FROM svc_progress WHERE name = 'outbox'");
const pendingIn = (url: string): Promise<number> => numberIn(url, 'SELECT count(*) FROM svc_outbox_pending');
const logHead = (url: string): Promise<number> => numberIn(url, 'SELECT svc_head()');
export const outboxLeaseIsHeld = async (url: string): Promise<boolean> =>
  (await numberIn(url, "SELECT count(*) FROM svc_leases WHERE name = 'outbox' AND owner IS NOT NULL")) > 0;

/** The relay publishes what is committed from now on. */
export async function relayAdvances(url: string, limitMs: number): Promise<Expectation> {
  const now = await logHead(url);
  return holdsWithin('messages are published', limitMs, async () => (await outboxCursor(url)) > now);
}

export const outboxIsDrained = (url: string): Promise<Expectation> =>
  holdsWithin('nothing is unpublished at the end', 30_000, async () => (await pendingIn(url)) === 0);
