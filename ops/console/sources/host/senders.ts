import { eventsOf } from '../../../../actors/processes/process-work.js';
import { messagesOf } from '../../../../actors/processes/process-setup.js';
import { typeNameOf } from '../../../../contracts/message.js';
import type { Registry } from '../../../../endpoints/service-definition.js';
import type { Database } from '../../../../runtime/database/database.js';
import { commandIdOf } from '../../../../runtime/reactions/ids.js';
import type { SeenCommand, Sender } from '../../model/event-model.js';

export type Reacting = Pick<Registry, 'reactions' | 'processes' | 'schedules'>;

/** The reactions, processes and schedules of a service. */
export const declaredSenders = ({ reactions = [], processes = [], schedules = [] }: Reacting): Sender[] => [
  ...reactions.map(({ name, events }) => ({
    kind: 'reaction' as const,
    name,
    events: events.map(typeNameOf),
    commands: [],
  })),
  ...processes.map((process) => ({
    kind: 'process' as const,
    name: process.name,
    events: eventsOf(process).map(typeNameOf),
    commands: Object.keys(messagesOf(process.machine)?.commands ?? {}),
  })),
  ...schedules.map((schedule) => ({
    kind: 'timer' as const,
    name: schedule.name,
    events: [],
    commands: scheduledCommand(schedule),
  })),
];

/** What a schedule would send now; its own error is no matter of a map. */
function scheduledCommand(schedule: NonNullable<Reacting['schedules']>[number]): readonly string[] {
  try {
    return [schedule.command(new Date().toISOString(), 0).constructor.name];
  } catch {
    return [];
  }
}

const mostTimers = 10_000;

/** Timers that wait, by name, with the type of what they send; at most so many are looked at. */
export async function waitingTimers(database: Database): Promise<readonly Sender[]> {
  const rows = await database.rows({
    text: `SELECT name, command FROM (SELECT name, data ->> 'type' AS command FROM svc_timers WHERE kind = 'command'
      LIMIT ${mostTimers}) t WHERE command IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
  });
  const byName = new Map<string, string[]>();
  for (const [name, command] of rows) {
    const known = byName.get(name || 'timer') ?? [];
    byName.set(name || 'timer', [...known, command ?? '']);
  }
  return [...byName].map(([name, commands]) => ({ kind: 'timer', name, events: [], commands }));
}

/** An event or a command of the log with what caused it. */
export interface Caused {
  readonly causationId: string;
  /** When it was committed: what was committed together has the same time. */
  readonly at: string;
}

interface Log {
  /** The id of this store. */
  readonly store: string;
  readonly senders: readonly Sender[];
  readonly events: readonly (Caused & { readonly id: string; readonly type: string })[];
  readonly commands: readonly (Caused & { readonly command: string; readonly agoSeconds: number })[];
}

/**
 * Which commands were sent by which reaction or process. Their cause is an event; when several react to it, the id of the
 * command, which its events have, decides.
 */
export function sentCommands({ store, senders, events, commands }: Log): readonly SeenCommand[] {
  const typeOf = new Map(events.map(({ id, type }) => [id, type]));
  const effects = new Set(events.map(({ causationId, at }) => `${causationId} ${at}`));
  return commands.flatMap(({ causationId: cause, at, command, agoSeconds }) => {
    const type = typeOf.get(cause);
    const asked = senders.filter((one) => type !== undefined && one.events.includes(type));
    const declaring = asked.filter(({ commands: declared }) => declared.includes(command));
    const possible = declaring.length > 0 ? declaring : asked.filter(({ kind }) => kind === 'reaction');
    const sure = possible.filter(({ name }) =>
      [0, 1, 2, 3].some((index) => effects.has(`${commandIdOf(store, cause, name, index)} ${at}`)),
    );
    const [by, ...others] = possible.length > 1 ? sure : possible;
    return by === undefined || others.length > 0 ? [] : [{ by, command, agoSeconds }];
  });
}
