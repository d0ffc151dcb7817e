import { setTimeout as delay } from 'node:timers/promises';
import { verifyChain } from '../../../runtime/audit/verify-chain.js';
import type { Database } from '../../../runtime/database/database.js';
import { readPublished } from '../../../runtime/testing/published-messages.js';
import { checkPublished, type PublishedFindings, publishedLate } from '../failover/published-check.js';
import { inStore } from '../harness/cluster-queries.js';
import { type AnomalyName, checkHistory } from '../history/check-history.js';
import { checkEffects } from '../effects/effect-check.js';
import { EffectLoad, readEffects, releaseLost } from '../effects/effect-load.js';
import { HistoryClients } from '../history/history-clients.js';
import { listsIn, unauditedIn } from '../history/stored-history.js';
import { checkLedgers, type LedgerFindings } from '../ledgers/ledger-check.js';
import { LedgerLoad, type LedgerSizes } from '../ledgers/ledger-load.js';
import { isSettled, readLedgers } from '../ledgers/stored-ledgers.js';
import { holdsWithin } from '../scenarios/scenario.js';
import { injectMixed } from './inject-mixed.js';
import { mixedFaultKinds, type MixedFaultKind, mixedFaults } from './mixed-faults.js';
import { type MixedScene, withMixedScene } from './mixed-scene.js';
import { WatchedAccounts } from './watched-accounts.js';

interface MixedOptions {
  readonly seed: number;
  /** New rounds begin until then. */
  readonly minutes: number;
  /** The only kinds of faults, each once; unset: all, again and again. */
  readonly once?: readonly MixedFaultKind[];
  readonly printProgress: (line: string) => void;
}

interface MixedReport extends LedgerFindings, PublishedFindings {
  readonly seed: number;
  readonly minutes: number;
  readonly mode: 'sync';
  readonly commands: number;
  readonly attempts: number;
  readonly faults: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly missing: number;
  readonly anomalies: Readonly<Partial<Record<AnomalyName, number>>>;
  /** Refused because of others, although they had read nothing. */
  readonly refusedBlind: number;
  /** No violation: receivers drop them. */
  readonly publishedLate: number;
  /** Requests of effects with an outcome that the other system does not know. */
  readonly uncalled: number;
  /** Rows whose last change a client that watches has not seen. */
  readonly unseen: number;
  /** Rows of the read model that are not what the log folds to. */
  readonly wrongRows: number;
  readonly chainHolds: boolean;
  readonly settled: boolean;
  readonly seconds: number;
  readonly ok: boolean;
}

const perRound: LedgerSizes = { events: 960, timers: 200, processes: 40, seats: 40 };
const transactionsPerRound = 600;
const effectsPerRound = 192;
const settleWithinMs = 300_000;

/** Hosts, a broker, and every kind of load while one fault after the other happens; then all ledgers are compared. */
export async function runMixed(options: MixedOptions): Promise<MixedReport> {
  let report: MixedReport | undefined;
  await withMixedScene(options.seed, (scene) =>
    inStore(scene.front.url, async (database) => {
      report = await runRounds(options, scene, database);
    }),
  );
  return report as unknown as MixedReport;
}

/** What clients sent, and what happened meanwhile. */
interface Ran {
  readonly load: LedgerLoad;
  readonly clients: HistoryClients;
  readonly effects: EffectLoad;
  readonly unseen: number;
  readonly byKind: Readonly<Record<string, number>>;
  readonly settled: boolean;
}

async function runRounds(
  { seed, minutes, once, printProgress }: MixedOptions,
  scene: MixedScene,
  own: Database,
): Promise<MixedReport> {
  const started = performance.now();
  const urls = [...scene.hosts, scene.deployed].map(({ url }) => url);
  const [load, clients] = [new LedgerLoad(urls, seed), new HistoryClients(urls, seed)];
  const effects = new EffectLoad(own);
  const watched = new WatchedAccounts(urls);
  await watched.watch();
  const byKind: Record<string, number> = {};
  let rounds = 0;
  for (const fault of mixedFaults(seed, scene.hosts.length, once)) {
    if (performance.now() - started > minutes * 60_000 || rounds++ === once?.length) break;
    await effects.ask(effectsPerRound);
    const injected = delay(fault.afterMs).then(() => injectMixed(fault, scene));
    await asLongAs(injected, () => Promise.all([load.run(perRound), clients.run(transactionsPerRound)]));
    const what = await injected;
    byKind[what] = (byKind[what] ?? 0) + 1;
    printProgress(`${what} after ${load.counts.answered + clients.acknowledged} commands`);
  }
  const { kept: settled } = await holdsWithin('everything is settled', settleWithinMs, async () => {
    // As an operator does with what five hosts have died under.
    await releaseLost(own);
    return (await isSettled(own)) && isRead(own);
  });
  const unseen = await watched.unseenIn(own);
  await watched.stop();
  await Promise.all(scene.hosts.map(({ host }) => host.stop()));
  await scene.deployed.stop();
  load.close();
  clients.close();
  const found = await compare(scene, own, { load, clients, effects, unseen, byKind, settled });
  const seconds = Math.round((performance.now() - started) / 1000);
  return { seed, minutes, mode: 'sync', ...found, seconds };
}

/** Works again and again until the fault is over. */
async function asLongAs(fault: Promise<unknown>, work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const ended = fault.finally(() => (isOver = true));
  const working = async (): Promise<void> => {
    await work();
    if (!isOver) await working();
  };
  await Promise.all([ended, working()]);
}

/** Acknowledged = stored = audited = reacted = called = folded = published, once. */
async function compare(
  { nats, provider }: MixedScene,
  database: Database,
  { load, clients, effects, unseen, byKind, settled }: Ran,
) {
  const published = await readPublished(nats.url);
  const ledgers = checkLedgers(load.acknowledged, await readLedgers(database));
  const called = checkEffects(effects.asked, await readEffects(database), (await provider.report()).keys);
  const history = checkHistory(clients.transactions, await listsIn(database, clients.lists));
  const anomalies: Partial<Record<AnomalyName, number>> = {};
  for (const { name } of history) anomalies[name] = (anomalies[name] ?? 0) + 1;
  const events = await database.rows({ text: 'SELECT event_id FROM svc_events WHERE origin = 0' });
  const broker = checkPublished(
    events.map(([id]) => id ?? ''),
    published,
  );
  const counts = {
    ...ledgers,
    ...broker,
    missing: broker.unpublished,
    wrongRows: await wrongRowsIn(database),
    lost: ledgers.lost + called.lost + (anomalies['lost-append'] ?? 0),
    doubled: ledgers.doubled + called.doubled + (anomalies.duplicate ?? 0),
    unaudited: ledgers.unaudited + called.unaudited + (await unauditedIn(database)),
    outOfOrder: ledgers.outOfOrder + called.outOfOrder,
    uncalled: called.uncalled,
    refusedBlind: clients.refusedBlind,
    unseen,
  };
  const { ok: chainHolds } = await verifyChain(database);
  const faults = Object.values(byKind).reduce((sum, count) => sum + count, 0);
  const isClean = Object.values(counts).every((count) => count === 0) && history.length === 0;
  return {
    commands: load.counts.commands + clients.transactions.length + effects.asked,
    attempts: load.counts.attempts + clients.attempts,
    faults,
    byKind,
    ...counts,
    publishedLate: publishedLate(published),
    anomalies,
    chainHolds,
    settled,
    ok: isClean && chainHolds && settled && faults > 0 && haveHappened(byKind),
  };
}

/** Whether no fault is one that did not show itself. */
const haveHappened = (byKind: Readonly<Record<string, number>>): boolean =>
  Object.keys(byKind).every((what) => mixedFaultKinds.some((kind) => kind === what));

/** Whether read model and broker have the whole log. */
async function isRead(database: Database): Promise<boolean> {
  const [[behind] = []] = await database.rows({
    text: `SELECT (SELECT count(*) FROM svc_perspectives p LEFT JOIN svc_progress c ON c.name = p.table_name
        WHERE coalesce(c.position, 0) < svc_head()) + (SELECT count(*) FROM (SELECT FROM svc_outbox_pending LIMIT 1) v)`,
  });
  return behind === '0';
}

async function wrongRowsIn(database: Database): Promise<number> {
  const [[wrong] = []] = await database.rows({
    text: `SELECT count(*) FROM (SELECT stream_id::text AS id, count(*) AS numbers, sum((data ->> 'n')::bigint) AS sum
        FROM svc_event_stream WHERE event_type = 'Counted' GROUP BY 1) e
      FULL JOIN svc_per_accounts r USING (id)
      WHERE (r.numbers, r.sum) IS DISTINCT FROM (e.numbers, e.sum)`,
  });
  return Number(wrong);
}
