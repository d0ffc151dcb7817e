import { resolve } from 'node:path';
import { LocalDispatcher } from '../actors/dispatcher.js';
import { createHttpServer } from '../endpoints/http/server.js';
import type { ServiceDefinition } from '../endpoints/registry.js';
import { type Database, openDatabase } from '../runtime/database/database.js';
import { startEmbeddedServer } from '../runtime/database/embedded-server.js';
import { log } from '../runtime/log.js';
import { migrate } from '../runtime/migrations/migrate.js';
import { PostgresIdempotencyGate } from '../runtime/store/idempotency-gate.js';
import { openPostgresStore } from '../runtime/store/postgres-event-store.js';
import type { Config } from './config.js';

/** One running host. */
export interface Host {
  readonly url: string;
  /** Answers what is under way, then lets go of everything in the reverse order of the start. */
  stop(): Promise<void>;
}

type Stop = () => Promise<void> | void;

/** Connects, brings to life, listens; when a step fails, those before it are undone. */
export async function startHost(definition: ServiceDefinition, config: Config): Promise<Host> {
  const stops: Stop[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= undoAll(stops));
  try {
    const database = await connect(config, stops);
    const store = openPostgresStore(database, { host: config.name });
    stops.push(() => store.close());
    const gate = new PostgresIdempotencyGate(database, await storeIdOf(database));
    stops.push(() => gate.close());
    const dispatcher = new LocalDispatcher({
      store,
      deadlineMs: config.deadlineMs,
      onDeferredFailure: (err, { correlationId }) =>
        log.error({ err, correlationId }, 'a deferred task failed'),
    });
    stops.push(() => dispatcher.stop());
    const registry = definition.create(dispatcher);
    dispatcher.register(registry.receptors);
    dispatcher.mustHandle(registry.endpoints.map((endpoint) => endpoint.command));
    const server = createHttpServer(
      registry.endpoints,
      { gate, store, deadlineMs: config.deadlineMs },
      config,
    );
    stops.push(() => server.drain());
    return { url: await server.listen(config.port, config.bind), stop };
  } catch (error) {
    await stop().catch((err: unknown) => log.warn({ err }, 'undoing a failed start failed'));
    throw error;
  }
}

/** Last first; one that fails does not keep the others from being undone. */
async function undoAll(stops: readonly Stop[]): Promise<void> {
  const failures: unknown[] = [];
  for (const undo of stops.toReversed()) {
    try {
      await undo();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function connect(config: Config, stops: Stop[]): Promise<Database> {
  const url = config.databaseUrl ?? (await embedded(config, stops));
  const { role } = await migrate({ ownerUrl: config.ownerUrl ?? url, runtimeUser: new URL(url).username });
  if (role === undefined) {
    log.warn(
      'the server would not let us make the role svc_runtime: only the triggers protect the append-only tables',
    );
  }
  const database = openDatabase({
    url,
    ...(role === undefined ? {} : { role }),
    applicationName: config.name,
    onError: (err) => log.warn({ err: err.message }, 'a database connection was lost'),
  });
  stops.push(() => database.close());
  stops.push(pruneFrom(database));
  return database;
}

async function embedded(config: Config, stops: Stop[]): Promise<string> {
  const server = await startEmbeddedServer({ dataDir: resolve(config.dataDir) });
  stops.push(() => server.stop());
  return server.url;
}

const pruneEveryMs = 10 * 60_000;

function pruneFrom(database: Database): Stop {
  const prune = () => {
    database
      .rows({ text: 'SELECT svc_prune()' })
      .catch((err: unknown) => log.warn({ err }, 'pruning failed'));
  };
  const timer = setInterval(prune, pruneEveryMs);
  return () => {
    clearInterval(timer);
  };
}

async function storeIdOf(database: Database): Promise<string> {
  const [row] = await database.rows({ text: 'SELECT id FROM svc_store' });
  return row?.[0] ?? '';
}
