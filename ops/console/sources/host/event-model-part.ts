import { typeNameOf } from '../../../../contracts/message.js';
import type { Inspection } from '../../../../endpoints/inspection/inspection.js';
import type { Database, Row } from '../../../../runtime/database/database.js';
import type { Service } from '../../../../runtime/service/service.js';
import { correlationColumn } from '../../../audit/record-query.js';
import { type EventModel, eventModelOf, type SeenEvent } from '../../model/event-model.js';

const examinedEvents = 2_000;
const examinedRecords = 5_000;
const fresherMs = 2_000;

interface ModelSources {
  readonly service: Pick<Service, 'parts'>;
  readonly database: Database;
  readonly inspection: Inspection;
  readonly dispatcher: { readonly loads: readonly { readonly command: string }[] };
}

/** The map of commands, events and perspectives; pages that look at the same time share one answer. */
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

async function readModel({ service, database, inspection, dispatcher }: ModelSources): Promise<EventModel> {
  const [events, records] = await Promise.all([newestEvents(database), newestRecords(database)]);
  const audited = records.filter(({ command }) => command !== '');
  const commands = new Map(audited.map(({ correlationId, command }) => [correlationId, command]));
  // Requests of this host are known even if their commands are not audited.
  for (const { correlationId, command } of inspection.requests({
    outcome: 'completed',
    limit: examinedEvents,
  }))
    commands.set(correlationId, command);
  const perspectives = (service.parts.perspectives?.declared ?? []).map(({ name, events: types }) => ({
    name,
    events: types.map(typeNameOf),
  }));
  const folded = new Set(perspectives.flatMap((perspective) => perspective.events));
  const declared = {
    commands: dispatcher.loads.map(({ command }) => command),
    events: [...folded],
    perspectives,
  };
  // A system event belongs to no command; those that a perspective folds are shown.
  const system = records.filter(({ type }) => folded.has(type)).map((one) => ({ ...one, correlationId: '' }));
  return eventModelOf(declared, [...events, ...system], (id) => commands.get(id));
}

async function newestEvents(database: Database): Promise<readonly SeenEvent[]> {
  const rows = await database.rows({
    text: `SELECT event_type, metadata ->> 'correlationId', extract(epoch FROM now() - recorded_at)
      FROM svc_events ORDER BY global_position DESC LIMIT ${examinedEvents}`,
  });
  return rows.map(seenOf);
}

interface SeenRecord extends SeenEvent {
  readonly command: string;
}

/** System events, each with the command that it is about, if any. */
async function newestRecords(database: Database): Promise<readonly SeenRecord[]> {
  const rows = await database.rows({
    text: `SELECT event_type, ${correlationColumn}, extract(epoch FROM now() - recorded_at), data ->> 'commandType'
      FROM svc_system_events ORDER BY stream_position DESC LIMIT ${examinedRecords}`,
  });
  return rows.map((row) => ({ ...seenOf(row), command: row[3] ?? '' }));
}

const seenOf = ([type, correlationId, ago]: Row): SeenEvent => ({
  type: type ?? '',
  correlationId: correlationId ?? '',
  agoSeconds: Number(ago),
});
