/** Takes tests: `test('a rule as a sentence', body)`. Making a suite is enough to have it run. */
export interface Test {
  (name: string, body: Body): void;
  readonly before: Hook;
  readonly after: Hook;
}

interface Hook {
  /** Once for the suite. */
  (body: Body): void;
  /** For each of its tests. */
  readonly each: (body: Body) => void;
}

type Body = () => unknown;

/** How a test ended; a fault of the suite itself is reported like a test. */
export interface Result {
  readonly name: string;
  readonly ms: number;
  readonly failures: readonly Failure[];
}

interface Failure {
  /** The hook that threw, if it was not the test. */
  readonly hook?: string;
  readonly error: unknown;
}

interface Suite {
  readonly name: string;
  readonly tests: { readonly name: string; readonly body: Body }[];
  readonly hooks: Readonly<Record<HookName, Body[]>>;
}

type HookName = 'before' | 'after' | 'before.each' | 'after.each';

const made: Suite[] = [];

export function suite(name: string): Test {
  const tests: Suite['tests'] = [];
  const hooks: Suite['hooks'] = { before: [], after: [], 'before.each': [], 'after.each': [] };
  made.push({ name, tests, hooks });
  const hook = (kind: 'before' | 'after'): Hook =>
    Object.assign((body: Body) => void hooks[kind].push(body), {
      each: (body: Body) => void hooks[`${kind}.each`].push(body),
    });
  const test = (sentence: string, body: Body): void => void tests.push({ name: sentence, body });
  return Object.assign(test, { before: hook('before'), after: hook('after') });
}

/** The suites made since the last call. */
export const takeSuites = (): readonly Suite[] => made.splice(0);

// Node alone loads a test file and runs none of its tests: that must not look like success.
process.on('exit', () => {
  if (made.length === 0) return;
  const names = made.map(({ name }) => `"${name}"`).join(', ');
  process.exitCode = 1;
  process.stderr.write(`No test of ${names} was run: use npm test -- followed by part of the file's path.\n`);
});

export async function runSuite(
  { name, tests, hooks }: Suite,
  started: (what: string) => void,
): Promise<readonly Result[]> {
  const timed = async (what: string, act: () => Promise<readonly Failure[]>): Promise<Result> => {
    started(what);
    const from = performance.now();
    const failures = await act();
    return { name: `${name}: ${what}`, failures, ms: performance.now() - from };
  };
  const hooked = (kind: HookName) => thrownBy(hooks[kind], kind);
  // A test that is added from now on throws: it would not be run.
  Object.freeze(tests);
  if (tests.length === 0)
    return [await timed('has no test', async () => [{ error: 'A suite needs a test' }])];
  const before = await timed('before', () => hooked('before'));
  const results: Result[] = [];
  for (const test of tests) {
    const run = async () => {
      if (before.failures.length > 0) return before.failures;
      const early = await hooked('before.each');
      const failures = early.length > 0 ? early : await thrownBy([test.body]);
      return [...failures, ...(await hooked('after.each'))];
    };
    results.push(await timed(test.name, run));
  }
  const after = await timed('after', () => hooked('after'));
  return after.failures.length > 0 ? [...results, after] : results;
}

/** Runs them in order: `after` hooks all run, whatever throws; other bodies run up to the first that throws. */
async function thrownBy(bodies: readonly Body[], hook?: HookName): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const body of bodies) {
    try {
      await body();
    } catch (error) {
      failures.push(hook === undefined ? { error } : { hook, error });
      if (hook?.startsWith('after') !== true) break;
    }
  }
  return failures;
}
