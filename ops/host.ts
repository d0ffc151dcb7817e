import { dispatcherFor } from '../actors/service-dispatcher.js';
import { addSystemEventAuditing, addSystemEvents } from '../actors/system-events.js';
import type { SystemEventOptions } from '../contracts/system-event-options.js';
import { type SystemMessage, systemMessageCategoryOf } from '../contracts/system-messages.js';
import type { Transport } from '../contracts/transport.js';
import { errorReports } from '../endpoints/error-reports.js';
import { createHttpServer } from '../endpoints/http/server.js';
import { Inspection } from '../endpoints/inspection/inspection.js';
import type { Registry, ServiceDefinition } from '../endpoints/registry.js';
import { buildHookFailed } from '../runtime/audit/build-failed.js';
import { log } from '../runtime/log.js';
import { type Addition, addService, type Service } from '../runtime/service.js';
import { eventStore } from '../runtime/store/event-store-addition.js';
import { PostgresIdempotencyGate } from '../runtime/store/idempotency-gate.js';
import { openPostgresStore } from '../runtime/store/postgres-event-store.js';
import { InProcessTransport } from '../runtime/transport/in-process.js';
import type { Config } from './config.js';
import { connectDatabase, type Stop, storeIdOf } from './host-database.js';
import { relayOutbox } from './host-outbox.js';

/** One running host. */
export interface Host {
  readonly url: string;
  readonly service: Service;
  readonly inspection: Inspection;
  /** Answers what is under way, then lets go of everything in the reverse order of the start. */
  stop(): Promise<void>;
}

/** Connects, brings to life, listens; when a step fails, those before it are undone. */
export async function startHost(
  definition: ServiceDefinition,
  config: Config,
  transport: Transport = new InProcessTransport(),
): Promise<Host> {
  const stops: Stop[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= undoAll(stops));
  try {
    const database = await connectDatabase(config, stops);
    const store = openPostgresStore(database, { host: config.name });
    stops.push(() => store.close());
    const gate = new PostgresIdempotencyGate(database, await storeIdOf(database));
    stops.push(() => gate.close());
    const service = addService().with(eventStore(store)).with(systemEvents(config));
    definition.configure?.(service);
    stops.push(() => service.stop());
    const report = reporter(service);
    const dispatcher = dispatcherFor(service, { store, deadlineMs: config.deadlineMs, report });
    stops.push(() => dispatcher.stop());
    const registry = definition.create(dispatcher);
    dispatcher.register(registry.receptors);
    dispatcher.mustHandle(registry.endpoints.map(({ command }) => command));
    introduce(registry, service, report);
    const inspection = inspected(registry, config);
    await relayOutbox({ database, service, transport, report }, stops);
    const { endpoints, openApi, schema } = registry;
    const ports = { gate, store, deadlineMs: config.deadlineMs };
    const server = createHttpServer(endpoints, ports, { ...config, openApi, schema });
    stops.push(() => server.drain());
    return { url: await server.listen(config.port, config.bind), service, inspection, stop };
  } catch (error) {
    await stop().catch((err: unknown) => log.warn({ err }, 'undoing a failed start failed'));
    throw error;
  }
}

function systemEvents({ audit, auditMode, broadcast }: Config): Addition {
  const configure = (options: SystemEventOptions): void => {
    if (audit === 'all') options.enableAll();
    if (audit === 'events') options.enableEventAudit();
    if (audit === 'commands') options.enableCommandAudit();
    if (broadcast) options.broadcast();
    options.auditMode = auditMode;
  };
  return audit === 'off' ? addSystemEvents(configure) : addSystemEventAuditing(configure);
}

/** Emits what went wrong; that this may fail too is for the log alone. */
function reporter(service: Service): (message: SystemMessage) => void {
  const report = (message: SystemMessage): void => {
    service.emitter
      .emit(message)
      .catch((err: unknown) =>
        log.error({ err, type: message.constructor.name }, 'a failure could not be recorded'),
      );
  };
  service.parts.hooks.reports = {
    large: (tag, bytes) => log.warn({ tag, bytes }, 'the payload of a system event hook is large'),
    failed: (tag, error) => {
      log.error({ tag, err: error }, 'a system event hook failed');
      const failed = buildHookFailed(tag, undefined, error, undefined);
      // A hook that fails on an error event would fail on the report of it, for ever.
      if (failed !== undefined && !isErrorEvent(tag)) report(failed);
    },
  };
  return report;
}

const isErrorEvent = (tag: string): boolean => systemMessageCategoryOf(tag) === 'error';

/** Makes the marks and redactions of the application's messages known, and reports how its requests end. */
function introduce(registry: Registry, { parts }: Service, report: (message: SystemMessage) => void): void {
  parts.policy.know([...(registry.events ?? []), ...registry.endpoints.map(({ command }) => command)]);
  parts.unitStore?.upcasters?.know(registry.events ?? []);
  for (const redaction of registry.redactions ?? []) {
    parts.policy.redact(redaction.type, (message) => redaction.redact(message));
  }
  for (const { endpoint } of registry.endpoints) endpoint.observedBy(errorReports(report));
}

/** Counts and remembers every request, whether anybody looks or not. */
function inspected({ endpoints }: Registry, { name }: Config): Inspection {
  const inspection = new Inspection({ host: name });
  for (const { endpoint, command } of endpoints) endpoint.watchedBy(inspection.watch(command.name));
  return inspection;
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
