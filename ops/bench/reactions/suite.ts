import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import { newUuid } from '../../../contracts/uuid.js';
import { post } from '../../../endpoints/testing/http-client.js';
import { withDatabases } from '../harness/databases.js';
import { type Child, startChild } from '../harness/child.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { requests } from './requests.js';
import { eventsPerUnit, type Item, openShopStore, percentiles, reminder, type ShopStore } from './store.js';

type ShopHost = Child<{ readonly url: string }>;

const hostScript = fileURLToPath(new URL('host.js', import.meta.url));
const figures = ['p50 ms', 'p99 ms'];
const backlogOf = (run: SuiteRun): number => eventsPerUnit * scaled(100, run);
const pendingOf = (run: SuiteRun): number => scaled(100_000, run);
const inFlight = 256;

/** What a host does when something happens: how fast, how soon, and what others notice of it. */
export const reactions = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => {
    const store = await openShopStore(url);
    try {
      let host: ShopHost = await startChild(hostScript, [url]);
      try {
        await warmUp(store, host, backlogOf(run));
        const sections = [
          await throughput(store, host, run),
          await delays(store, run),
          await sick(store, run),
          await timers(store, run),
        ];
        const restart = async (): Promise<ShopHost> => (host = await startChild(hostScript, [url]));
        return [...sections, await overdue(store, () => host, restart, run)];
      } finally {
        await host.stop();
      }
    } finally {
      await store.close();
    }
  });

/** Until the host holds all partitions, as a reaction starts at the head of the log, and its code is compiled. */
async function warmUp(store: ShopStore, host: ShopHost, backlog: number): Promise<void> {
  for (;;) {
    const round = newUuid();
    await store.placeAll(round, 100);
    await delay(1_000);
    if ((await store.delays(round)).length === 100) break;
  }
  await reacting(store, backlog);
  await directly(store, host, backlog);
  await alone(store, backlog);
}

/** Commands that a reaction sends because of events. */
async function reacting(store: ShopStore, backlog: number): Promise<Figures> {
  const round = newUuid();
  await store.placeAll(round, backlog);
  await store.untilThere('Reserved', round, backlog);
  return { 'commands/s': await store.rateOf('Reserved', round) };
}

/** The same commands, sent by callers in the host. */
async function directly(store: ShopStore, host: ShopHost, backlog: number): Promise<Figures> {
  const round = newUuid();
  const { status } = await post(
    host.output.url,
    { round, count: backlog, inFlight },
    { path: '/reserve-all' },
  );
  if (status >= 300) throw new Problem('unexpected', { detail: `The host answered ${status}.` });
  return { 'commands/s': await store.rateOf('Reserved', round) };
}

/** The same commands, sent by callers in a process that does nothing else. */
async function alone(store: ShopStore, backlog: number): Promise<Figures> {
  const round = newUuid();
  let left = backlog;
  const caller = async (): Promise<void> => {
    while (left-- > 0) await store.reserve(round);
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
  return { 'commands/s': await store.rateOf('Reserved', round) };
}

async function throughput(store: ShopStore, host: ShopHost, run: SuiteRun): Promise<Section> {
  const backlog = backlogOf(run);
  run.printProgress('reactions: events with reactions, and the same commands sent directly');
  const variants = [
    { name: 'sent directly', measure: () => directly(store, host, backlog) },
    { name: 'sent by a process without a host', measure: () => alone(store, backlog) },
    { name: 'by a reaction', measure: () => reacting(store, backlog) },
  ];
  return {
    title: `reactions: ${backlog} audited commands`,
    figures: ['commands/s'],
    baseline: 'sent directly',
    rounds: await interleave(variants, run.rounds, run.signal),
    targets: [{ figure: 'commands/s', of: 'by a reaction', against: 'sent directly', atLeast: 0.55 }],
    missing: [],
  };
}

/** Sends events at a rate, and returns how long their reactions took. */
async function delaysAt(
  store: ShopStore,
  perSecond: number,
  seconds: number,
  itemsAt: (tick: number) => readonly Item[] = () => [],
): Promise<Figures> {
  const round = newUuid();
  const orders = { sound: newUuid, poison: newUuid(), hanging: newUuid() };
  const sent: Promise<void>[] = [];
  const began = performance.now();
  const ticks = seconds * 100;
  for (let tick = 0; tick < ticks; tick++) {
    await delay(began + tick * 10 - performance.now());
    for (let n = 0; n < perSecond / 100; n++) sent.push(store.place(round, ['sound']));
    const others = itemsAt(tick);
    if (others.length > 0)
      sent.push(store.place(round, others, (item) => (item === 'poison' ? orders.poison : orders.hanging)));
  }
  await Promise.all(sent);
  await store.untilThere('Reserved', round, ticks * Math.floor(perSecond / 100));
  return percentiles(await store.delays(round));
}

async function delays(store: ShopStore, run: SuiteRun): Promise<Section> {
  run.printProgress('reactions: 500 events/s');
  const of = '500 events/s';
  const measure = () => delaysAt(store, 500, run.seconds ?? 5);
  return {
    title: 'reactions: from an event to the commit of its reaction',
    figures,
    baseline: of,
    rounds: await interleave([{ name: of, measure }], run.rounds, run.signal),
    targets: [
      { figure: 'p50 ms', of, atMost: 20 },
      { figure: 'p99 ms', of, atMost: 150 },
    ],
    missing: [],
  };
}

async function sick(store: ShopStore, run: SuiteRun): Promise<Section> {
  run.printProgress('reactions: a key that fails and a receptor that hangs');
  const seconds = run.seconds ?? 5;
  const [sound, of] = ['all are sound', 'one key fails, one receptor hangs'];
  const itemsAt = (tick: number): readonly Item[] =>
    tick === 0 ? ['hanging', 'poison'] : tick % 10 === 0 ? ['poison'] : [];
  const variants = [
    { name: sound, measure: () => delaysAt(store, 200, seconds) },
    { name: of, measure: () => delaysAt(store, 200, seconds, itemsAt) },
  ];
  return {
    title: 'reactions: the others, beside a key that fails and a receptor that hangs',
    figures,
    baseline: sound,
    rounds: await interleave(variants, run.rounds, run.signal),
    targets: [{ figure: 'p99 ms', of, against: sound, atMost: 2 }],
    missing: [],
  };
}

async function timers(store: ShopStore, run: SuiteRun): Promise<Section> {
  const pending = pendingOf(run);
  run.printProgress(`reactions: 1,000 timers/s, ${pending} pending`);
  await store.numbers(timersText(pending, 'far', `clock_timestamp() + interval '1 day'`));
  const of = '1,000 timers/s';
  const measure = async (): Promise<Figures> => {
    const round = newUuid();
    const count = 1_000 * (run.seconds ?? 5);
    const [now = 0] = await store.numbers('SELECT 1000 * extract(epoch FROM clock_timestamp()) AS n');
    const due = Array.from({ length: count }, (_, n) => new Date(now + 5_000 + n).toISOString());
    for (let at = 0; at < count; at += 500)
      await store.setTimers(due.slice(at, at + 500).map((time) => reminder(round, time)));
    await store.untilThere('Reminded', round, count);
    return percentiles(await store.lateness(round));
  };
  return {
    title: `reactions: how late timers are, ${pending} more pending`,
    figures,
    baseline: of,
    rounds: await interleave([{ name: of, measure }], run.rounds, run.signal),
    targets: [{ figure: 'p99 ms', of, atMost: 150 }],
    missing: [],
  };
}

async function overdue(
  store: ShopStore,
  host: () => ShopHost,
  restart: () => Promise<ShopHost>,
  run: SuiteRun,
): Promise<Section> {
  const pending = pendingOf(run);
  run.printProgress(`reactions: requests while ${pending} overdue timers are caught up`);
  const seconds = run.seconds ?? 5;
  const [quiet, of] = ['nothing to do', 'catching up'];
  const caughtUp = async (): Promise<Figures> => {
    const round = newUuid();
    await host().stop();
    await store.numbers(timersText(pending, round, `clock_timestamp() - interval '1 hour'`));
    const { output } = await restart();
    await store.untilThere('Reminded', round, 1);
    // Until its code is compiled, as that of the other variant.
    await requests(output.url, 2);
    const found = percentiles(await requests(output.url, seconds));
    await store.numbers(`DELETE FROM svc_timers WHERE data->'body'->>'round' = '${round}'`);
    return found;
  };
  const variants = [
    { name: quiet, measure: async () => percentiles(await requests(host().output.url, seconds)) },
    { name: of, measure: caughtUp },
  ];
  return {
    title: `reactions: requests while ${pending} overdue timers are caught up`,
    figures,
    baseline: quiet,
    rounds: await interleave(variants, run.rounds, run.signal),
    targets: [{ figure: 'p99 ms', of, against: quiet, atMost: 1.3 }],
    missing: [],
  };
}

const timersText = (pending: number, round: string, due: string): string => `
  INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
    SELECT id, n % 8, ${due}, 'command', 'reminder', id::text, clock_timestamp(), 0, false,
      json_build_object('type', 'Remind', 'body', json_build_object('orderId', id, 'round', '${round}', 'due', ${due})), '{}'
    FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, ${pending}) n) t`;
