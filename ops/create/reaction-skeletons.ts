import { kebab } from '../../endpoints/generator/model/generated-paths.js';
import { type Field, type ImportedEvent, members, scalarsOf } from './skeletons.js';

const importing = (events: readonly ImportedEvent[]): string =>
  events.map((event) => `import { ${event.name} } from '${event.from}';\n`).join('');

const namesOf = (events: readonly ImportedEvent[], between: string): string =>
  events.map(({ name }) => name).join(between);

/** A reaction to events that sends nothing yet. */
export const reactionSkeleton = (name: string, events: readonly ImportedEvent[]): string =>
  `import type { Reaction, StoredEvent } from 'svc-runtime';
${importing(events)}
/** It may run again for the same event: no clock, no new ids, nothing but what the event says. */
export class ${name} implements Reaction<${namesOf(events, ' | ')}> {
  readonly name = '${kebab(name)}';
  readonly events = [${namesOf(events, ', ')}];

  react(_: StoredEvent<${namesOf(events, ' | ')}>) {
    // Return the commands to send: SendNotice.of({ … }), or later(SendNotice.of({ … }), { in: 'P1D' }).
    return [];
  }
}
`;

/** A process that the first of these events starts. */
export const processSkeleton = (name: string, events: readonly ImportedEvent[]): string =>
  `import { type Process, processSetup, shape, type StoredEvent, type Uuid } from 'svc-runtime';
${importing(events)}
const machine = processSetup({
  events: { ${namesOf(events, ', ')} },
  // What the process may send, such as { SendNotice }.
  commands: {},
  context: shape<{ id: Uuid }>(),
  delays: { patience: 'P1D' },
}).createMachine({
  id: '${kebab(name)}',
  context: ({ input }) => ({ id: input.event.streamId }),
  initial: 'waiting',
  states: {
    waiting: { after: { patience: 'ended' } },
    ended: { type: 'final' },
  },
});

/** Raise its version when the machine changes. */
export class ${name} implements Process<typeof machine> {
  readonly name = '${kebab(name)}';
  readonly version = 1;
  readonly machine = machine;
  readonly starts = [${events[0]?.name ?? ''}];

  key({ streamId }: StoredEvent): string {
    return streamId;
  }
}
`;

export const effectClass = (name: string): string => `${name}Effect`;

/** A command without a route, and the effect that does it. */
export const effectSkeleton = (name: string, fields: readonly Field[]): string =>
  `import { ${['Command', 'CommandEndpoint', 'type Effect', 'type EffectCall', ...scalarsOf(fields)].join(', ')} } from 'svc-runtime';

@CommandEndpoint<${name}, void>()
export class ${name} extends Command {
${members(fields, '!')}}

/** It may be called again for the same request. What knows the other system, with its credentials, comes through the constructor. */
export class ${effectClass(name)} implements Effect<${name}> {
  readonly name = '${kebab(name)}';
  readonly timeout = 'PT10S';

  async call(request: ${name}, { id, signal }: EffectCall): Promise<void> {
    // Call the other system: fetch(url, { signal, headers: { 'idempotency-key': id }, … }). If it says no, throw new
    // EffectRefused('code'); if it asks you to wait, new TryLater('PT30S'). After any other error it is called again.
    // To store an event, implement Effect<${name}, TheEvent>, return it, and add stream = (request) => request.theId.
    throw new Error('${name} is not written yet');
  }
}
`;

/** The classes in the file of a decider. */
export const deciderClasses = (name: string) =>
  ({ command: `Change${name}`, event: `${name}Changed` }) as const;

/** A decider with one command and its event. */
export function deciderSkeleton(name: string): string {
  const { command, event } = deciderClasses(name);
  const id = `${name.charAt(0).toLowerCase()}${name.slice(1)}Id`;
  return `import {
  Command, CommandEndpoint, type Decider, Event, type Int, Permission, type StoredEvent, type Uuid,
} from 'svc-runtime';

export class ${event} extends Event {
  ${id}!: Uuid;
}

@CommandEndpoint<${command}, void>({
  restRoute: '/${kebab(command)}',
  permission: Permission.write('${kebab(name)}'),
})
export class ${command} extends Command {
  ${id}!: Uuid;
}

export interface ${name}State {
  readonly changes: Int;
}

const commands = { ${command} };

/** Raise its version when the state or evolve changes. */
export class ${name} implements Decider<${name}State, ${event}, typeof commands> {
  readonly name = '${kebab(name)}';
  readonly version = 1;
  readonly commands = commands;

  stream({ ${id} }: ${command}): Uuid {
    return ${id};
  }

  initial(): ${name}State {
    return { changes: 0 };
  }

  evolve(state: ${name}State, { messageType }: StoredEvent<${event}>): ${name}State {
    return messageType === '${event}' ? { changes: state.changes + 1 } : state;
  }

  readonly decide = {
    // Return events, [] for none, or { events, result }; or throw a Problem to refuse.
    ${command}: ({ ${id} }: ${command}, _: ${name}State) => ${event}.of({ ${id} }),
  };
}
`;
}
