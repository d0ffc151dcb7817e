/** What every file of a process shares, and must leave as it found it. */
interface ProcessState {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly globals: ReadonlyMap<string, unknown>;
  readonly listeners: Listeners;
  readonly open: readonly string[];
}

type Listeners = ReadonlyMap<string, readonly unknown[]>;

export const processState = (): ProcessState => ({
  env: { ...process.env },
  globals: globals(),
  listeners: listeners(),
  open: process.getActiveResourcesInfo(),
});

/** Names what a file has changed and not put back; puts the environment back. */
export function restoreChanges(before: ProcessState): string[] {
  const env = changedKeys(new Map(Object.entries(before.env)), new Map(Object.entries(process.env)));
  for (const name of env) {
    const value = before.env[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  return [
    ...env.map((name) => `has changed process.env.${name}`),
    ...changedKeys(before.globals, globals()).map((name) => `has changed ${name}`),
    ...added(listeners(), before.listeners).map(
      (name) => `has removed a listener for ${name} of the process`,
    ),
  ];
}

/** What is still open and would continue while the next file runs. */
export function leftOpen(before: ProcessState): string[] {
  const open = process.getActiveResourcesInfo();
  for (const kind of before.open) {
    const at = open.indexOf(kind);
    if (at >= 0) open.splice(at, 1);
  }
  const listening = added(before.listeners, listeners());
  return [...open, ...listening.map((name) => `a listener for ${name} of the process`)];
}

/** Exit handlers do not disturb other files. */
const listeners = (): Listeners =>
  new Map(
    process
      .eventNames()
      .filter((name) => name !== 'exit')
      .map((name) => [String(name), process.rawListeners(name)]),
  );

/** The names of events that have new listeners. */
const added = (before: Listeners, now: Listeners): string[] =>
  [...now]
    .filter(([name, all]) => all.some((one) => before.get(name)?.includes(one) !== true))
    .map(([name]) => name);

const watchedKeys: readonly (readonly [name: string, owner: object, keys: readonly string[]])[] = [
  ['', globalThis, ['Date', 'fetch', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout']],
  ['', globalThis, ['clearImmediate', 'clearInterval', 'clearTimeout']],
  ['Date.', Date, ['now']],
  ['Math.', Math, ['random']],
  ['console.', console, ['error', 'info', 'log', 'warn']],
  ['performance.', performance, ['now']],
  ['process.', process, ['exit', 'kill', 'platform', 'send']],
  ['process.stderr.', process.stderr, ['write']],
  ['process.stdout.', process.stdout, ['write']],
];

/** The global names, without those that libraries define for themselves, and the values of those that a test may replace. */
const globals = (): Map<string, unknown> =>
  new Map<string, unknown>([
    ...Object.getOwnPropertyNames(globalThis)
      .filter((name) => !name.startsWith('__'))
      .map((name) => [name, true] as const),
    ...watchedKeys.flatMap(([name, owner, keys]) =>
      keys.map((key) => [`${name}${key}`, Reflect.get(owner, key)] as const),
    ),
    ['process.exitCode', process.exitCode],
    ['the tracer provider', globalTracerProvider()],
    ['the working directory', process.cwd()],
  ]);

/** Where OpenTelemetry keeps what all its users share. */
const globalTracerProvider = (): unknown => {
  const shared: unknown = Reflect.get(globalThis, Symbol.for('opentelemetry.js.api.1'));
  return (shared as { readonly trace?: unknown } | undefined)?.trace;
};

const changedKeys = (before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter((key) => before.get(key) !== now.get(key));
