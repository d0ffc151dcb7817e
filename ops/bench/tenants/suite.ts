import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { addSystemEventAuditing } from '../../../actors/add-system-events-and-auditing.js';
import { dispatcherFor } from '../../../actors/commands/create-dispatcher.js';
import type { LocalDispatcher } from '../../../actors/commands/dispatcher.js';
import { Command, Event } from '../../../contracts/message.js';
import { Problem } from '../../../contracts/problems.js';
import type { UnitOfWork } from '../../../contracts/receptor.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { newUuid } from '../../../contracts/uuid.js';
import { Cancellation } from '../../../runtime/lang/cancellation.js';
import { RequestContext } from '../../../runtime/request/request-context.js';
import { postgresEventStore } from '../../../runtime/service/add-postgres-event-store.js';
import { addService } from '../../../runtime/service/service.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import { scaled, type SuiteRun } from '../harness/suite.js';

class Buy extends Command {
  declare orderId: Uuid;
}
class Bought extends Event {}

const quietTenants = 20;
const everyMs = 200;
const loudRequests = 10_000;
const warmUpMs = 1_000;

/** How long quiet tenants wait at the handler of a command beside one that has many open requests. */
export const tenants = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => {
    const service = addService()
      .with(postgresEventStore({ url }, 'bench'))
      .with(addSystemEventAuditing((options) => options.enableAudit()));
    const store = service.parts.unitStore;
    if (store === undefined) throw new Problem('unexpected', { detail: 'The service has no store.' });
    const dispatcher = dispatcherFor(service, { store, report: () => undefined });
    const begunAt = new WeakMap<Command, number>();
    const handle = (command: Buy, work: UnitOfWork): void => {
      begunAt.set(command, performance.now());
      work.append(command.orderId, Bought.of({}), { expectedPosition: 0 });
    };
    dispatcher.register([{ command: Buy, receptor: { handle } }]);
    const open = scaled(loudRequests, run);
    try {
      const [quiet, beside] = ['20 tenants, 100/s', `beside one with ${open} open requests`];
      const seconds = run.seconds ?? 5;
      await buyFor(dispatcher, begunAt, { open: 64, seconds: 1 });
      const variants = [
        { name: quiet, measure: () => buyFor(dispatcher, begunAt, { open: 0, seconds }) },
        { name: beside, measure: () => buyFor(dispatcher, begunAt, { open, seconds }) },
      ];
      return [
        {
          title: 'tenants: from the call to its answer',
          baseline: quiet,
          missing: [],
          figures: ['p50 ms', 'p99 ms', 'mailbox p99 ms', 'loop p99 ms', 'refused', 'others 1/s'],
          rounds: await interleave(variants, run.rounds, run.signal),
          targets: [
            { figure: 'p99 ms', of: beside, against: quiet, atMost: 2 },
            { figure: 'refused', of: beside, atMost: 0 },
          ],
        },
      ];
    } finally {
      await service.stop();
    }
  });

interface Load {
  /** Requests of the loud tenant. */
  readonly open: number;
  readonly seconds: number;
}

async function buyFor(
  { localInvoke }: LocalDispatcher,
  begunAt: WeakMap<Command, number>,
  { open, seconds }: Load,
): Promise<Figures> {
  const [answered, mailbox]: [number[], number[]] = [[], []];
  let [refused, others] = [0, 0];
  const over = new AbortController();
  const quietly = async (tenant: string): Promise<void> => {
    const command = Buy.of({ orderId: newUuid() });
    const from = performance.now();
    await buy(localInvoke, command, tenant);
    answered.push(performance.now() - from);
    mailbox.push((begunAt.get(command) ?? from) - from);
  };
  // A client that is refused comes again when it was asked to.
  const loudCaller = async (): Promise<void> => {
    while (!over.signal.aborted)
      await buy(localInvoke, Buy.of({ orderId: newUuid() }), 'loud').then(
        () => others++,
        (error: unknown) => (over.signal.aborted ? undefined : pauseOf(error)),
      );
  };
  const callers = Promise.all(Array.from({ length: open }, loudCaller));
  if (open > 0) await delay(warmUpMs);
  others = 0;
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const began = performance.now();
  const calls = await eachTick(Math.ceil((seconds * 1_000 * quietTenants) / everyMs), (tick) =>
    quietly(`tenant-${tick % quietTenants}`).catch(() => void refused++),
  );
  await Promise.all(calls);
  const perSecond = (others * 1_000) / (performance.now() - began);
  loop.disable();
  over.abort();
  await callers;
  return {
    'p50 ms': quantile(answered, 0.5),
    'p99 ms': quantile(answered, 0.99),
    'mailbox p99 ms': quantile(mailbox, 0.99),
    'loop p99 ms': loop.percentile(99) / 1e6,
    refused,
    'others 1/s': perSecond,
  };
}

/** Starts one call after the other, as time passes. */
async function eachTick(count: number, call: (tick: number) => Promise<void>): Promise<Promise<void>[]> {
  const calls: Promise<void>[] = [];
  const began = performance.now();
  for (let tick = 0; tick < count; tick++) {
    await delay(Math.max(0, began + (tick * everyMs) / quietTenants - performance.now()));
    calls.push(call(tick));
  }
  return calls;
}

async function buy(invoke: LocalDispatcher['localInvoke'], command: Buy, tenantId: string): Promise<void> {
  const cancellation = Cancellation.of(undefined, 30_000);
  const scope = { tenantId, allowedPrincipals: [], extensions: {} };
  try {
    await invoke(command, undefined, new RequestContext({ transport: 'local', cancellation, scope }));
  } finally {
    cancellation.end();
  }
}

const pauseOf = (error: unknown): Promise<void> =>
  delay(((error as Problem).retryAfter ?? 1) * 1_000, undefined, { ref: false });
