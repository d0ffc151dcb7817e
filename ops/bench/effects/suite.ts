import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import { newUuid } from '../../../contracts/uuid.js';
import { connect } from '../../../runtime/database/connect.js';
import { workOf } from '../append/server-work.js';
import { startChild } from '../harness/child.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { Order } from './labels.js';
import { openLabelStore } from './store.js';

const hostScript = fileURLToPath(new URL('host.js', import.meta.url));
const callers = 64;
const longestMs = 180_000;

/** What was asked for together, after this position of the log. */
interface Round {
  readonly id: string;
  readonly after: number;
}

interface Bench {
  /** Runs commands by 64 callers; returns how many it ran in a second. */
  readonly order: (count: number, asks: boolean, round?: Round) => Promise<number>;
  readonly orderOne: (round: string) => Promise<void>;
  /** CPU seconds of the server, without what the bench itself asks. */
  readonly serverSeconds: () => Promise<number>;
  readonly numbers: (text: string, ...values: readonly unknown[]) => Promise<number[]>;
  readonly withHost: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What a call to another system costs beside the commit of a command. */
export const effects = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => {
    const { service, dispatcher } = await openLabelStore(url);
    const client = await connect(url);
    const orderOne = (round: string, asks = true): Promise<void> =>
      dispatcher.localInvoke<void>(Order.of({ orderId: newUuid(), round, asks }));
    const { rows: own } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const bench: Bench = {
      orderOne,
      serverSeconds: async () =>
        (
          await workOf(
            url,
            own.map(({ pid }) => pid),
          )
        ).seconds,
      order: async (count, asks, { id } = { id: newUuid(), after: 0 }) => {
        let left = count;
        const caller = async (): Promise<void> => {
          while (left-- > 0) await orderOne(id, asks);
        };
        const from = performance.now();
        await Promise.all(Array.from({ length: callers }, caller));
        return (count * 1_000) / (performance.now() - from);
      },
      numbers: async (text, ...values) => {
        const { rows } = await client.query<{ n: number | string }>(text, [...values]);
        return rows.map(({ n }) => Number(n));
      },
      withHost: async (work) => {
        const host = await startChild(hostScript, [url]);
        try {
          return await work();
        } finally {
          await host.stop();
        }
      },
    };
    try {
      await bench.order(scaled(2_000, run), false);
      return [await commits(bench, run), await delays(bench, run), await lanes(bench, run)];
    } finally {
      await client.end();
      await service.stop();
    }
  });

async function commits(bench: Bench, run: SuiteRun): Promise<Section> {
  const count = scaled(10_000, run);
  run.printProgress(`effects: ${count} commands with and without a request, and what they ask for`);
  const [plain, asks, done] = ['a command', 'a command that asks', 'calls and their outcomes'];
  const costOf = (seconds: number): number => (seconds * 1e6) / count;
  const asked = async (isAsking: boolean): Promise<Figures> => {
    const before = await bench.serverSeconds();
    const rate = await bench.order(count, isAsking);
    const cost = costOf((await bench.serverSeconds()) - before);
    await bench.numbers(`DELETE FROM svc_timers WHERE kind = 'effect'`);
    return { '1/s': rate, 'server CPU µs': cost };
  };
  const outcomes = async (): Promise<Figures> => {
    const round = await newRound(bench);
    await bench.order(count, true, round);
    const before = await bench.serverSeconds();
    const cost = await bench.withHost(async () => {
      await untilPrinted(bench, round, count);
      return costOf((await bench.serverSeconds()) - before);
    });
    const [rate = Number.NaN] = await bench.numbers(
      `SELECT (count(*) - 1) / extract(epoch FROM max(recorded_at) - min(recorded_at)) AS n
        FROM svc_events WHERE event_type = 'Printed' AND data->>'round' = $1`,
      round.id,
    );
    return { '1/s': rate, 'server CPU µs': cost };
  };
  const variants = [
    { name: plain, measure: () => asked(false) },
    { name: asks, measure: () => asked(true) },
    { name: done, measure: outcomes },
  ];
  return {
    title: `effects: ${count} audited commands of ${callers} callers`,
    figures: ['1/s', 'server CPU µs'],
    baseline: plain,
    rounds: await interleave(variants, run.rounds, run.signal),
    targets: [
      { figure: 'server CPU µs', of: asks, against: plain, atMost: 1.45 },
      // A claim costs as much as 1.1 commits at most, and an outcome as 1.25.
      { figure: 'server CPU µs', of: done, against: plain, atMost: 2.35 },
      { figure: '1/s', of: done, atLeast: 1_500 },
    ],
    missing: [],
  };
}

async function delays(bench: Bench, run: SuiteRun): Promise<Section> {
  run.printProgress('effects: 500 requests/s');
  const of = '500 requests/s';
  const measure = async (): Promise<Figures> => {
    const round = await newRound(bench);
    const ticks = (run.seconds ?? 5) * 100;
    const sent: Promise<void>[] = [];
    const began = performance.now();
    for (let tick = 0; tick < ticks; tick++) {
      await delay(began + tick * 10 - performance.now());
      for (let n = 0; n < 5; n++) sent.push(bench.orderOne(round.id));
    }
    await Promise.all(sent);
    await untilPrinted(bench, round, ticks * 5);
    return percentiles(
      await bench.numbers(
        `SELECT (p.data->>'calledAt')::float8 - 1000 * extract(epoch FROM o.recorded_at) AS n
          FROM svc_events o JOIN svc_events p ON p.stream_id = o.stream_id AND p.event_type = 'Printed'
          WHERE o.event_type = 'Ordered' AND o.data->>'round' = $1`,
        round.id,
      ),
    );
  };
  const rounds = await bench.withHost(async () => {
    await warmedUp(bench);
    return interleave([{ name: of, measure }], run.rounds, run.signal);
  });
  return {
    title: 'effects: from the commit that asks to the call',
    figures: ['p50 ms', 'p99 ms'],
    baseline: of,
    rounds,
    missing: [],
    targets: [
      { figure: 'p50 ms', of, atMost: 30 },
      { figure: 'p99 ms', of, atMost: 200 },
    ],
  };
}

async function lanes(bench: Bench, run: SuiteRun): Promise<Section> {
  const long = scaled(100_000, run);
  run.printProgress(`effects: 200 lanes of three beside one of ${long}`);
  const of = '200 lanes of three';
  const measure = async (): Promise<Figures> => {
    const [loud, quiet] = [await newRound(bench), await newRound(bench)];
    let from = 0;
    await bench.numbers(requestsText, long, loud.id, 1);
    await bench.withHost(async () => {
      // It holds its partitions, and its code is compiled.
      await untilPrinted(bench, loud, Math.min(long, 200));
      from = Date.now();
      await bench.numbers(requestsText, 600, quiet.id, 200);
      await untilPrinted(bench, quiet, 600);
    });
    await bench.numbers(`DELETE FROM svc_timers WHERE kind = 'effect'`);
    const called = await bench.numbers(
      `SELECT (data->>'calledAt')::float8 - $2 AS n FROM svc_events
        WHERE event_type = 'Printed' AND data->>'round' = $1`,
      ...[quiet.id, from],
    );
    return { 'last after ms': Math.max(...called) };
  };
  return {
    title: `effects: beside a lane with ${long} due`,
    figures: ['last after ms'],
    baseline: of,
    rounds: await interleave([{ name: of, measure }], run.rounds, run.signal),
    targets: [{ figure: 'last after ms', of, atMost: 3_000 }],
    missing: [],
  };
}

/** So many requests of a round that are due, in so many lanes. */
const requestsText = `
  INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
    SELECT id, n % $3::int % 8, clock_timestamp(), 'effect', 'printer', id::text, clock_timestamp(), 0, false,
      json_build_object('type', 'PrintLabel', 'body', json_build_object('orderId', id, 'round', $2::text)),
      json_build_object('correlationId', id, 'scope', '{}'::json, 'lane', 'n|printer||' || $2::text || n % $3::int)
    FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, $1::int) n) t`;

async function warmedUp(bench: Bench): Promise<void> {
  const round = await newRound(bench);
  await bench.order(500, true, round);
  await untilPrinted(bench, round, 500);
}

const newRound = async ({ numbers }: Bench): Promise<Round> => {
  const [after = 0] = await numbers('SELECT svc_head() AS n');
  return { id: newUuid(), after };
};

async function untilPrinted(bench: Bench, { id, after }: Round, count: number): Promise<void> {
  const end = performance.now() + longestMs;
  for (;;) {
    const [there = 0] = await bench.numbers(
      `SELECT count(*) AS n FROM svc_events WHERE event_type = 'Printed' AND data->>'round' = $1 AND global_position > $2`,
      ...[id, after],
    );
    if (there >= count) return;
    if (performance.now() > end)
      throw new Problem('unexpected', { detail: `${there} of ${count} labels are printed.` });
    await delay(200);
  }
}

const percentiles = (values: readonly number[]): Figures => ({
  'p50 ms': quantile([...values], 0.5),
  'p99 ms': quantile([...values], 0.99),
});
