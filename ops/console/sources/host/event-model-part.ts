import { typeNameOf } from '../../../../contracts/message.js';
import type { Inspection } from '../../../../endpoints/inspection/inspection.js';
import type { Database, Row } from '../../../../runtime/database/database.js';
import type { Service } from '../../../../runtime/service/service.js';
import { correlationColumn } from '../../../audit/record-query.js';
import { type Caused, declaredSenders, type Reacting, sentCommands, waitingTimers } from './senders.js';
import { type EventModel, eventModelOf, type SeenEvent } from '../../model/event-model.js';

const examinedEvents = 2_000;
const examinedRecords = 5_000;
const fresherMs = 2_000;

interface ModelSources {
  readonly registry: Reacting;
  readonly service: Pick<Service, 'parts'>;
  readonly database: Database;
  readonly inspection: Inspection;
  readonly dispatcher: { readonly loads: readonly { readonly command: string }[] };
}

/** The map of commands, events, perspectives and reactions; pages that look at the same time share one answer. */
export function eventModelPart(sources: ModelSources): () => Promise<EventModel> {
  let latest: { readonly at: number; readonly model: Promise<EventModel> } | undefined;
  return () => {
    const now = performance.now();
    if (latest === undefined || now - latest.at > fresherMs) {
      const model = readModel(sources);
      latest = { at: now, model };
      model.catch(() => (latest = undefined));
    }
    return latest.model;
  };
}

async function readModel(sources: ModelSources): Promise<EventModel> {
  const { registry, service, database, dispatcher } = sources;
  const [events, records, timers, store] = await Promise.all([
    newestEvents(database),
    newestRecords(database),
    waitingTimers(database),
    storeOf(database),
  ]);
  const perspectives = (service.parts.perspectives?.declared ?? []).map(({ name, events: types }) => ({
    name,
    events: types.map(typeNameOf),
  }));
  const folded = new Set(perspectives.flatMap((perspective) => perspective.events));
  const senders = [...declaredSenders(registry), ...timers];
  const declared = {
    commands: dispatcher.loads.map(({ command }) => command),
    events: [...folded],
    perspectives,
    senders,
  };
  const commands = records.filter(({ command }) => command !== '');
  // A system event belongs to no command; those that a perspective folds are shown.
  const system = records.filter(({ type }) => folded.has(type)).map((one) => ({ ...one, correlationId: '' }));
  const sent = sentCommands({ store, senders, events, commands });
  return eventModelOf(declared, [...events, ...system], commandOf(sources.inspection, commands), sent);
}

/** An event belongs to the command that was committed with it; if several were, or its command is not audited, to its request. */
function commandOf(
  inspection: Inspection,
  audited: readonly SeenRecord[],
): (event: StoredEvent) => string | undefined {
  const together = new Map<string, Set<string>>();
  for (const { correlationId, at, command } of audited) {
    const commit = `${correlationId} ${at}`;
    together.set(commit, (together.get(commit) ?? new Set()).add(command));
  }
  // Requests of this host are known even if their commands are not audited.
  const latest = inspection.requests({ outcome: 'completed', limit: examinedEvents });
  const requested = new Map(latest.map(({ correlationId, command }) => [correlationId, command]));
  return ({ correlationId, at, isCaused }) => {
    const [command, ...others] = together.get(`${correlationId} ${at}`) ?? [];
    if (command !== undefined && others.length === 0) return command;
    return isCaused ? undefined : requested.get(correlationId);
  };
}

interface StoredEvent extends SeenEvent, Caused {
  readonly id: string;
  /** By a reaction or a timer. */
  readonly isCaused: boolean;
}

const seenColumns = `event_type, event_id, extract(epoch FROM now() - recorded_at), recorded_at`;

async function newestEvents(database: Database): Promise<readonly StoredEvent[]> {
  const rows = await database.rows({
    text: `SELECT ${seenColumns}, metadata ->> 'correlationId', metadata ->> 'causationId', metadata ->> 'depth'
      FROM svc_events ORDER BY global_position DESC LIMIT ${examinedEvents}`,
  });
  return rows.map(seenOf);
}

interface SeenRecord extends StoredEvent {
  readonly command: string;
}

/** System events, each with the command that it is about, if any. */
async function newestRecords(database: Database): Promise<readonly SeenRecord[]> {
  const rows = await database.rows({
    text: `SELECT ${seenColumns}, ${correlationColumn}, data ->> 'causationId', NULL, data ->> 'commandType'
      FROM svc_system_events ORDER BY stream_position DESC LIMIT ${examinedRecords}`,
  });
  return rows.map((row) => ({ ...seenOf(row), command: row[7] ?? '' }));
}

const seenOf = ([type, id, ago, at, correlationId, causationId, depth = null]: Row): StoredEvent => ({
  type: type ?? '',
  id: id ?? '',
  agoSeconds: Number(ago),
  at: at ?? '',
  correlationId: correlationId ?? '',
  causationId: causationId ?? '',
  isCaused: depth !== null,
});

async function storeOf(database: Database): Promise<string> {
  const [[store] = []] = await database.rows({ text: 'SELECT store FROM svc_origins WHERE origin = 0' });
  return store ?? '';
}
