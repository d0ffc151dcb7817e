import { fail } from 'node:assert/strict';

/** Internals of uvu. */
interface Journal {
  readonly started: (test: string) => void;
  readonly failed: (what: string, error?: unknown) => void;
}

interface WatchedSuites {
  /** Ends the watch: every suite has been made. */
  readonly release: () => void;
  /** Queues one more run of each suite, which only counts the tests no `.run()` has taken; it may be used again. */
  readonly runLeftovers: () => void;
}

/** What `suite()` of uvu returns. */
interface Suite {
  before: Hooks;
  after: Hooks;
  only: (name: string, test: Callback) => void;
  skip: (name?: string) => void;
  run: () => void;
}

interface Hooks {
  (hook: Callback): void;
  each: (hook: Callback) => void;
}

type Callback = (context: { __suite__: string; __test__: string }) => unknown;

/**
 * The exports of uvu cannot be replaced, and a loader hook would cost every test file a thread; but `run` is
 * the last thing uvu assigns to a new suite, and a setter on the prototype of all functions sees that.
 */
export function watchSuites(journal: Journal): WatchedSuites {
  const prototype: object = Object.getPrototypeOf(watchSuites);
  const leftovers: (() => void)[] = [];
  Object.defineProperty(prototype, 'run', {
    configurable: true,
    set(this: object, value: unknown) {
      Object.defineProperty(this, 'run', { value, configurable: true, enumerable: true, writable: true });
      if (isSuite(this)) leftovers.push(watch(this, journal));
    },
  });
  return {
    release: () => Reflect.deleteProperty(prototype, 'run'),
    runLeftovers: () => leftovers.forEach((run) => run()),
  };
}

function isSuite(value: object): value is Suite {
  return ['before', 'after', 'only', 'skip', 'run'].every((key) => Object.hasOwn(value, key));
}

function watch(suite: Suite, journal: Journal): () => void {
  const { before, after, only, run } = suite;
  const note = () => before.each(({ __test__ }) => journal.started(__test__));
  note();
  suite.run = () => {
    run();
    note();
  };
  suite.before = Object.assign((hook: Callback) => before(reported('before', hook, journal)), {
    each: before.each,
  });
  suite.after = Object.assign((hook: Callback) => after(reportedOnly('after', hook, journal)), {
    each: (hook: Callback) => after.each(reportedOnly('after.each', hook, journal)),
  });
  suite.only = (name, test) => {
    journal.failed(`skipped tests are not allowed: all but "${name}"`);
    only(name, test);
  };
  suite.skip = (name = '') => journal.failed(`skipped tests are not allowed: "${name}"`);
  return () => {
    before(() => fail('Only counting'));
    run();
    note();
  };
}

/** Still fails, so that uvu does not run the tests. */
function reported(kind: string, hook: Callback, journal: Journal): Callback {
  return async (context) => {
    try {
      await hook(context);
    } catch (error) {
      journal.failed(`${kind} hook of ${named(context)}`, error);
      throw error;
    }
  };
}

/** Does not fail, or uvu would lose the results it has. */
function reportedOnly(kind: string, hook: Callback, journal: Journal): Callback {
  return async (context) => {
    try {
      await hook(context);
    } catch (error) {
      journal.failed(`${kind} hook of ${named(context)}`, error);
    }
  };
}

function named({ __suite__, __test__ }: Parameters<Callback>[0]): string {
  return [__suite__ || 'the file', ...(__test__ ? [`"${__test__}"`] : [])].join(', ');
}
