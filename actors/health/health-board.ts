import { type ActorRefFrom, assign, createActor, setup, waitFor } from 'xstate';
import { type CheckResult, type HealthCheck, type HealthStatus, worstOf } from '../../contracts/health.js';
import { Problem } from '../../contracts/problems.js';
import { type CheckFinished, periodicCheck } from './periodic-check.js';

interface BoardContext {
  readonly checks: readonly HealthCheck[];
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly running: readonly ActorRefFrom<typeof periodicCheck>[];
}

/** One actor per check. The host is ready only in `watching`, not in `starting` or `draining`. */
export const healthBoardMachine = setup({
  types: {
    context: {} as BoardContext,
    events: {} as CheckFinished | { readonly type: 'drain' },
    input: {} as readonly HealthCheck[],
  },
  actors: { check: periodicCheck },
  guards: { allReported: ({ context: { checks, results } }) => results.size === checks.length },
}).createMachine({
  id: 'health-board',
  context: ({ input, spawn }) => ({
    checks: input,
    results: new Map(),
    running: input.map((check) => spawn('check', { id: check.name, input: check })),
  }),
  on: {
    checked: {
      actions: assign(({ context, event }) => ({
        results: withReport(context, event, new Date().toISOString()),
      })),
    },
    drain: '.draining',
  },
  initial: 'starting',
  states: {
    starting: { always: { guard: 'allReported', target: 'watching' } },
    watching: {},
    draining: {},
  },
});

/** The latest result of every check; reading it runs no check. */
export interface HealthBoard {
  readonly state: 'starting' | 'watching' | 'draining';
  /** In the order of registration. */
  readonly results: readonly CheckResult[];
  readonly status: HealthStatus;
  /** Waits until every check has reported once, or until the time is up. */
  reported(atMostMs: number): Promise<void>;
  /** Makes the host not ready, whatever the checks report. */
  drain(): void;
  stop(): void;
}

/** `known`: results that need no check, as what they show is known at any time. */
export function startHealthBoard(
  checks: readonly HealthCheck[],
  known: readonly (() => CheckResult)[] = [],
): HealthBoard {
  mustBeDistinct([...checks, ...known.map((read) => read())]);
  const actor = createActor(healthBoardMachine, { input: checks }).start();
  const results = (): readonly CheckResult[] => {
    const { context } = actor.getSnapshot();
    const checked = context.checks.map((check) => context.results.get(check.name) ?? pendingResult(check));
    return [...checked, ...known.map((read) => read())];
  };
  return {
    get state() {
      return actor.getSnapshot().value;
    },
    get results() {
      return results();
    },
    get status() {
      return worstOf(results().map(({ status }) => status));
    },
    reported: async (atMostMs) => {
      // A check that has not reported by then is already Unhealthy on the board.
      await waitFor(actor, (snapshot) => snapshot.value !== 'starting', { timeout: atMostMs }).catch(
        () => undefined,
      );
    },
    drain: () => actor.send({ type: 'drain' }),
    stop: () => void actor.stop(),
  };
}

const startedAt = new Date().toISOString();

const pendingResult = ({ name, tags }: HealthCheck): CheckResult => ({
  name,
  tags,
  status: 'Unhealthy',
  detail: 'The check has not reported yet.',
  latencyMs: 0,
  since: startedAt,
});

function withReport(
  { checks, results }: BoardContext,
  { name, report, latencyMs }: CheckFinished,
  now: string,
): ReadonlyMap<string, CheckResult> {
  const before = results.get(name);
  const { status, detail = null } = report;
  const result: CheckResult = {
    name,
    tags: checks.find((check) => check.name === name)?.tags ?? [],
    status,
    detail,
    latencyMs: Math.round(latencyMs * 1000) / 1000,
    since: before?.status === status ? before.since : now,
  };
  return new Map(results).set(name, result);
}

function mustBeDistinct(checks: readonly Pick<HealthCheck, 'name'>[]): void {
  const names = checks.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new Problem('invalid-setup', { detail: `Two health checks are called '${twice}'; rename one.` });
}
