import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { CheckResult, HealthCheck, HealthReport } from '../../contracts/health.js';
import { suite } from '../../contracts/testing/suite.js';
import { type HealthBoard, startHealthBoard } from './health-board.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('health board');

const checkOf = (name: string, check: HealthCheck['check'], timeoutMs = 5_000): HealthCheck => ({
  name,
  tags: ['bakery'],
  periodMs: 5,
  timeoutMs,
  check,
});

const healthy: HealthReport = { status: 'Healthy' };

async function withBoard(
  checks: readonly HealthCheck[],
  body: (board: HealthBoard) => Promise<void>,
): Promise<void> {
  const board = startHealthBoard(checks);
  try {
    await body(board);
  } finally {
    board.stop();
  }
}

async function untilResult(board: HealthBoard, isSo: (result: CheckResult) => boolean): Promise<CheckResult> {
  let found: CheckResult | undefined;
  await until(() => (found = board.results.slice(0, 1).find(isSo)) !== undefined);
  return found ?? (assert.unreachable() as never);
}

const untilStatus = (board: HealthBoard, status: string) =>
  untilResult(
    board,
    (result) => result.status === status && result.detail !== 'The check has not reported yet.',
  );

test('a board shows the status, the tags, the latency and the last change of every check', () =>
  withBoard([checkOf('oven', () => delay(20, healthy))], async (board) => {
    const { since, latencyMs, ...result } = await untilStatus(board, 'Healthy');
    assert.equal(result, { name: 'oven', tags: ['bakery'], status: 'Healthy', detail: null });
    assert.ok(latencyMs >= 15, String(latencyMs));
    assert.ok(Math.abs(Date.parse(since) - Date.now()) < 60_000);
  }));

test('a host is starting, and nothing is Healthy, until every check has reported once', () => {
  let open: (report: HealthReport) => void = () => undefined;
  const slow = new Promise<HealthReport>((resolve) => (open = resolve));
  return withBoard([checkOf('oven', () => slow), checkOf('till', () => healthy)], async (board) => {
    await board.reported(20);
    assert.is(board.state, 'starting');
    assert.equal(
      board.results.map(({ name, status, detail }) => [name, status, detail]),
      [
        ['oven', 'Unhealthy', 'The check has not reported yet.'],
        ['till', 'Healthy', null],
      ],
    );
    open(healthy);
    await board.reported(10_000);
    assert.is(board.state, 'watching');
    assert.is(board.status, 'Healthy');
  });
});

test('a check that throws is Unhealthy, with one line of its message and no password, and recovers by itself', () => {
  let isCold = true;
  const check = () => {
    if (isCold) throw new RangeError('no fire at http://baker:secret@oven:80\n    at bake');
    return healthy;
  };
  return withBoard([checkOf('oven', check)], async (board) => {
    const cold = await untilStatus(board, 'Unhealthy');
    assert.is(cold.detail, 'no fire at http://oven:80');
    isCold = false;
    const warm = await untilStatus(board, 'Healthy');
    assert.is(warm.detail, null);
    assert.ok(warm.since >= cold.since);
  });
});

test('a check that only informs is Degraded when it throws', () => {
  const figures = checkOf('figures', () => Promise.reject(new TypeError('no figures')));
  return withBoard([{ ...figures, failsAs: 'Degraded' }], async (board) => {
    const { detail } = await untilStatus(board, 'Degraded');
    assert.match(detail ?? '', 'no figures');
  });
});

test('a check that only informs is Degraded when it does not answer', () => {
  const figures = checkOf('figures', () => new Promise<never>(() => undefined), 5);
  return withBoard([{ ...figures, failsAs: 'Degraded' }], async (board) => {
    const { detail } = await untilStatus(board, 'Degraded');
    assert.is(detail, 'No answer within 5 ms.');
  });
});

test('a check that does not answer is Unhealthy after its timeout, is not called again meanwhile, and recovers with the answer', () => {
  let calls = 0;
  let open: (report: HealthReport) => void = () => undefined;
  const frozen = new Promise<HealthReport>((resolve) => (open = resolve));
  return withBoard(
    [
      checkOf(
        'oven',
        () => {
          calls++;
          return calls === 1 ? frozen : healthy;
        },
        30,
      ),
    ],
    async (board) => {
      const late = await untilStatus(board, 'Unhealthy');
      assert.is(late.detail, 'No answer within 30 ms.');
      await delay(50);
      assert.is(calls, 1);
      open(healthy);
      await untilStatus(board, 'Healthy');
      assert.ok(calls >= 2);
    },
  );
});

test('the time of the last change stays the same while the status does', () =>
  withBoard([checkOf('oven', () => healthy)], async (board) => {
    const first = await untilStatus(board, 'Healthy');
    await delay(30);
    assert.is(board.results[0]?.since, first.since);
  }));

test('a check that exceeds its timeout gets an abort signal', () => {
  let isAborted = false;
  const check = (signal: AbortSignal) =>
    new Promise<HealthReport>((resolve) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
        resolve(healthy);
      });
    });
  return withBoard([checkOf('oven', check, 20)], async (board) => {
    await untilResult(board, ({ detail }) => detail === 'No answer within 20 ms.');
    assert.ok(isAborted);
  });
});

test('a host that drains is not ready, however healthy it is', () =>
  withBoard([checkOf('oven', () => healthy)], async (board) => {
    await board.reported(10_000);
    board.drain();
    assert.is(board.state, 'draining');
    assert.is(board.status, 'Healthy');
  }));

test('a stopped board calls no check', async () => {
  let calls = 0;
  const board = startHealthBoard([
    checkOf('oven', () => {
      calls++;
      return healthy;
    }),
  ]);
  await board.reported(10_000);
  board.stop();
  const before = calls;
  await delay(30);
  assert.is(calls, before);
});

test('two checks with the same name are refused, naming it', () => {
  const oven = checkOf('oven', () => healthy);
  assert.throws(() => startHealthBoard([oven, oven]), "Two health checks are called 'oven'; rename one.");
});
