import { addServicePerspectives } from '../../../actors/perspectives/add-service-perspectives.js';
import { addSystemEvents } from '../../../actors/add-system-events-and-auditing.js';
import { EventAudited } from '../../../contracts/events/audited.js';
import type { StoredEvent } from '../../../contracts/event-store.js';
import { Event } from '../../../contracts/message.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { newUuid } from '../../../contracts/uuid.js';
import { addService, type Service } from '../../../runtime/service/service.js';
import { postgresEventStore } from '../../../runtime/service/add-postgres-event-store.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import type { Figures } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import type { SuiteRun } from '../harness/suite.js';

class OrderPlaced extends Event {}

const perSecond = 1_000;
const everyMs = 10;
const orders = Array.from({ length: 500 }, newUuid);

interface Totals {
  readonly count: number;
  readonly total: number;
}

const totals = (name: string, over: object = {}): AnyPerspective =>
  ({
    name,
    events: [OrderPlaced],
    initial: (): Totals => ({ count: 0, total: 0 }),
    apply: ({ count, total }: Totals, { payload }: StoredEvent<{ readonly amount?: number }>): Totals => ({
      count: count + 1,
      total: total + (payload.amount ?? 0),
    }),
    columns: { total: { type: 'numeric', of: ({ total }: Totals) => total } },
    ...over,
  }) as unknown as AnyPerspective;

/** Five read models of different shapes: by stream, over all, one row per event, and one over the audit. */
const five = [
  totals('order-totals'),
  totals('order-counts', { columns: {} }),
  totals('customer-totals', { late: 'apply', key: ({ streamId }: StoredEvent) => streamId.slice(-2) }),
  totals('order-log', { late: 'apply', key: ({ messageId }: StoredEvent) => messageId }),
  totals('audit-totals', { late: 'apply', events: [EventAudited], key: () => 'all' }),
];

/** The delay from a commit to each of five perspectives, at a thousand events per second. */
export function perspectives(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(1, async ([url = '']) => {
    const seconds = run.seconds ?? 20;
    run.printProgress(`perspectives: ${five.length} of them, ${perSecond} events/s for ${seconds} s`);
    const service = addService()
      .with(postgresEventStore({ url }))
      .with(addSystemEvents((options) => options.enableEventAudit()))
      .with(addServicePerspectives(five));
    try {
      await service.parts.perspectives?.started;
      await load(service, 2, run.signal);
      return [sectionOf(await load(service, seconds, run.signal))];
    } finally {
      await service.stop();
    }
  });
}

async function load(service: Service, seconds: number, signal: AbortSignal): Promise<Figures> {
  const lags: number[] = [];
  const waiting: Promise<unknown>[] = [];
  const begun = performance.now();
  let sent = 0;
  const one = async (n: number): Promise<void> => {
    const { globalPositions } = await service.eventStore.append(orders[n % orders.length] ?? '', placed(n));
    // Watch one of twenty.
    if (n % 20 !== 0) return;
    const committed = performance.now();
    const seen = five.map(async ({ name }) => {
      await service.caughtUp(name, globalPositions[0] ?? 0);
      lags.push(performance.now() - committed);
    });
    await Promise.all(seen);
  };
  while (!signal.aborted && performance.now() - begun < seconds * 1_000) {
    const due = Math.floor(((performance.now() - begun) * perSecond) / 1_000);
    for (; sent < due; sent++) waiting.push(one(sent));
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  await Promise.all(waiting);
  const took = (performance.now() - begun) / 1_000;
  return {
    'events/s': sent / took,
    'lag p50 ms': quantile(lags, 0.5),
    'lag p99 ms': quantile(lags, 0.99),
    'lag max ms': Math.max(...lags),
  };
}

const placed = (n: number) => ({
  messageId: newUuid(),
  messageType: 'OrderPlaced',
  payload: { amount: n % 100, note: 'x'.repeat(200) },
  timestamp: new Date().toISOString(),
  v: 1 as const,
});

const sectionOf = (figures: Figures): Section => ({
  title: `perspectives: lag of ${five.length} at ${perSecond} events/s`,
  figures: ['events/s', 'lag p50 ms', 'lag p99 ms', 'lag max ms'],
  baseline: 'live',
  rounds: new Map([['live', [figures]]]),
  targets: [{ figure: 'lag p99 ms', of: 'live', atMost: 50 }],
  missing: [],
});
