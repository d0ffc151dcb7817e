import { setTimeout as delay } from 'node:timers/promises';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { PerspectiveRebuilds } from '../../actors/perspectives/perspective-rebuilds.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { recorderOf } from '../../runtime/service/change-recorder.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { log } from '../../runtime/logging/log.js';
import { createPerspectiveTables } from '../../runtime/perspectives/tables/create-tables.js';
import { rebuildAsOperator } from '../../runtime/perspectives/operate.js';
import { rebuildIsFree, rebuildRecord } from '../../runtime/perspectives/rebuild/rebuild-record.js';
import {
  cancelRebuild,
  type RebuildRequest,
  pickUpTimeoutMs,
} from '../../runtime/perspectives/rebuild/rebuild-request.js';
import type { RebuildProgress, Rebuilt } from '../../runtime/perspectives/service-perspectives.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { openPostgresStore } from '../../runtime/store/postgres-event-store.js';
import { loadService } from '../service/load-service.js';
import type { Config } from '../config/config.js';
import { createService } from '../host/create-service.js';
import { rebuildThreadsFor } from '../host/perspectives.js';
import { sealSubjects } from '../host/subjects.js';
import { cliEditor } from '../cli/access-editor.js';
import { currentOperator } from '../cli/operator.js';
import { findPerspective, listPerspectives, unknownPerspective } from '../service/perspective-list.js';
import { printToStderr } from '../terminal/print.js';
import { progressBar } from '../terminal/progress-bar.js';
import { RecentRate } from '../terminal/progress-rate.js';
import { rebuildPercent, rebuildPhase } from '../service/rebuild-phase.js';
import { stopApplication } from '../service/stop-application.js';

interface RebuildArguments {
  readonly config: Config;
  readonly connection: StoreConnection;
  readonly name: string;
  readonly app: string | undefined;
  readonly reason: string | undefined;
  readonly request: RebuildRequest;
}

/** Lets a host that runs the perspective rebuild it, or rebuilds it here; an interruption cancels the rebuild. */
export async function rebuildFromCli(args: RebuildArguments): Promise<Rebuilt> {
  const interrupt = new AbortController();
  const bar = progressBar(process.stderr, args.name);
  const stop = (): void => {
    bar.clear();
    printToStderr('svc: Interrupted; the rebuild is cancelled.\n');
    interrupt.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  const rate = new RecentRate();
  const show = ({ events: done, totalEvents: total, step }: RebuildProgress) => {
    const phase = rebuildPhase({ done, total, step });
    const note = phase ?? rate.text(done, total, performance.now());
    bar.show(rebuildPercent({ done, total }), 100, note);
  };
  try {
    return await runStep(args, interrupt.signal, show);
  } finally {
    bar.clear();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, stop);
  }
}

type Show = (progress: RebuildProgress) => void;

async function runStep(order: RebuildArguments, signal: AbortSignal, show: Show): Promise<Rebuilt> {
  const { connection, name, app } = order;
  const found = await findPerspective(connection.database, name);
  if (app === undefined && found?.isRun === true) return rebuildOnHost(order, found, signal, show);
  const definition = await serviceOf(order, found !== undefined);
  try {
    return await rebuildInProcess(order, definition, signal, show);
  } finally {
    await stopApplication(definition);
  }
}

async function serviceOf(
  { connection, name, app }: RebuildArguments,
  isKnown: boolean,
): Promise<ServiceDefinition> {
  try {
    return await loadService(app ?? '.');
  } catch (error) {
    if (app !== undefined) throw error;
    if (!isKnown) {
      const known = await listPerspectives(connection.database);
      throw unknownPerspective(
        name,
        known.map((one) => one.name),
      );
    }
    throw new Problem('invalid-setup', {
      detail: `No host runs ${name}; start one, or give the application: svc perspectives rebuild ${name} --app <app>.`,
      cause: error,
    });
  }
}

async function rebuildInProcess(
  { config, connection, name, reason, request }: RebuildArguments,
  definition: ServiceDefinition,
  signal: AbortSignal,
  progress: Show,
): Promise<Rebuilt> {
  const registry = definition.create(new LocalDispatcher());
  const perspective = perspectiveIn(registry, name);
  const rules = { perspective, table: perspectiveTable(perspective) };
  const store = openPostgresStore(connection.database, { host: config.name });
  const service = createService(store, () => Promise.resolve(connection), definition, config);
  service.parts.unitStore?.upcasters?.registerVersions(registry.events ?? []);
  const { sealed = [] } = registry;
  await sealSubjects(connection.database, store, definition, config, { sealed });
  for (const redaction of registry.redactions ?? [])
    service.parts.policy.redact(redaction.type, (message) => redaction.redact(message));
  const operator = { ...recorderOf(service.parts, config.name), changedBy: currentOperator() };
  const report = (message: Parameters<typeof service.emitter.emit>[0]) =>
    void service.emitter
      .emit(message)
      .catch((err: unknown) => log.error({ err }, 'a failure could not be recorded'));
  try {
    await connection.asOwner((owner) => createPerspectiveTables(owner, [rules.table]));
    const connect = () => Promise.resolve(connection);
    const threads = rebuildThreadsFor(definition, config);
    const rebuilds = new PerspectiveRebuilds({ parts: service.parts, connect, report, threads });
    return await rebuilds.rebuild(rules, { ...request, by: { operator, reason }, signal, progress });
  } finally {
    await service.stop();
    await store.close();
  }
}

function perspectiveIn({ perspectives = [] }: Registry, name: string) {
  const perspective = perspectives.find((one) => one.name === name);
  if (perspective !== undefined) return perspective;
  throw unknownPerspective(
    name,
    perspectives.map((one) => one.name),
  );
}

const pollEveryMs = 250;

/** Requests the rebuild and follows it; the host that runs the perspective begins it in its next cycle. */
async function rebuildOnHost(
  { config, connection, name, reason, request }: RebuildArguments,
  table: { readonly name: string; readonly table: string },
  signal: AbortSignal,
  show: Show,
): Promise<Rebuilt> {
  const by = { operator: cliEditor(config), reason };
  const id = await connection.asOwner((owner) => rebuildAsOperator(owner, by, table, request));
  const began = performance.now();
  for (let isCancelled = false; ;) {
    // The interruption may have come while the request was stored.
    if (signal.aborted && !isCancelled)
      isCancelled = await connection.asOwner((owner) => cancelRebuild(owner, name));
    const record = await rebuildRecord(connection.database, id);
    if (record === undefined || record.isEnded) return endOf(record, id, name);
    if (record.state === 'requested' && performance.now() - began > pickUpTimeoutMs) {
      await connection.asOwner((owner) => withdraw(owner, id));
      throw new Problem('invalid-setup', {
        detail: `No host has started the rebuild of ${name}; see the log of the host.`,
      });
    }
    const { shownEvents: events, shownStreams: streams, totalEvents, totalStreams, state: step } = record;
    show({ events, streams, totalEvents, totalStreams, step });
    await delay(pollEveryMs);
  }
}

const withdraw = (owner: StoreConnection['database'], id: Uuid) =>
  owner.rows({
    text: `UPDATE svc_rebuilds SET state = 'cancelled', error = 'no host started it', ended_at = clock_timestamp()
      WHERE id = $1 AND state = 'requested' AND ${rebuildIsFree}`,
    values: [id],
  });

function endOf(record: Awaited<ReturnType<typeof rebuildRecord>>, id: Uuid, name: string): Rebuilt {
  if (record?.state === 'done') {
    const { mode, shownStreams: streams, shownEvents: events, seconds, lostRows } = record;
    const forced = lostRows === 0 ? {} : { forced: true, rowsParked: lostRows };
    return { id, name, mode, streams, events, seconds, ...forced };
  }
  if (record?.state === 'cancelled')
    throw new Problem('rebuild-cancelled', { detail: `The rebuild of ${name} was cancelled.` });
  throw new Problem('rebuild-failed', {
    detail: `The rebuild of ${name} failed: ${record?.error ?? 'its record is missing'}`,
  });
}
