/** Commands, events, perspectives and reactions of a service, with what was stored lately. */
export interface EventModel {
  readonly commands: readonly string[];
  readonly events: readonly EventCount[];
  readonly perspectives: readonly { readonly name: string; readonly events: readonly string[] }[];
  /** What sends commands by itself. */
  readonly senders: readonly Sender[];
  /** Which commands were seen to append which events. */
  readonly appended: readonly Appended[];
  /** Which commands each sender may send, or was seen to send. */
  readonly sent: readonly Sent[];
  /** How many of the newest events were looked at. */
  readonly examined: number;
}

interface EventCount {
  readonly type: string;
  /** Among the examined events. */
  readonly count: number;
  /** In the last minute. */
  readonly lately: number;
}

interface Appended {
  readonly command: string;
  readonly event: string;
  readonly count: number;
  readonly lately: number;
}

/** A reaction, a process, or timers of one name. */
export interface Sender {
  readonly kind: 'reaction' | 'process' | 'timer';
  readonly name: string;
  /** What it reacts to. */
  readonly events: readonly string[];
  /** As far as they are declared. */
  readonly commands: readonly string[];
}

interface Sent {
  readonly by: Pick<Sender, 'kind' | 'name'>;
  readonly command: string;
  readonly count: number;
  readonly lately: number;
}

/** A stored event: its type, its request, and how long ago it was stored. */
export interface SeenEvent {
  readonly type: string;
  readonly correlationId: string;
  readonly agoSeconds: number;
}

/** A command that a reaction or process was seen to send. */
export interface SeenCommand {
  readonly by: Pick<Sender, 'kind' | 'name'>;
  readonly command: string;
  readonly agoSeconds: number;
}

interface Declared {
  readonly commands: readonly string[];
  readonly events: readonly string[];
  readonly perspectives: EventModel['perspectives'];
  readonly senders?: readonly Sender[];
}

const lateSeconds = 60;

/** What is declared, joined with what was seen. */
export function eventModelOf<E extends SeenEvent>(
  declared: Declared,
  seen: readonly E[],
  commandOf: (event: E) => string | undefined,
  sent: readonly SeenCommand[] = [],
): EventModel {
  const { senders = [] } = declared;
  const waitedFor = senders.flatMap(({ events }) => events);
  const types = new Set([...declared.events, ...waitedFor, ...seen.map(({ type }) => type)]);
  const appended = new Map<string, SeenEvent[]>();
  for (const event of seen) {
    const command = commandOf(event);
    if (command === undefined) continue;
    const key = JSON.stringify([command, event.type]);
    appended.set(key, [...(appended.get(key) ?? []), event]);
  }
  const pairs = [...appended].map(([key, events]) => {
    const [command = '', event = ''] = JSON.parse(key) as string[];
    return { command, event, ...countsOf(events) };
  });
  return {
    commands: [...new Set([...declared.commands, ...pairs.map(({ command }) => command)])],
    events: [...types].map((type) => ({ type, ...countsOf(seen.filter((event) => event.type === type)) })),
    perspectives: declared.perspectives,
    senders,
    appended: pairs,
    sent: sentBy(senders, sent),
    examined: seen.length,
  };
}

function sentBy(senders: readonly Sender[], seen: readonly SeenCommand[]): readonly Sent[] {
  return senders.flatMap(({ kind, name, commands }) => {
    const own = seen.filter(({ by }) => by.kind === kind && by.name === name);
    return [...new Set([...commands, ...own.map(({ command }) => command)])].map((command) => ({
      by: { kind, name },
      command,
      ...countsOf(own.filter((one) => one.command === command)),
    }));
  });
}

const countsOf = (events: readonly { readonly agoSeconds: number }[]) => ({
  count: events.length,
  lately: events.filter(({ agoSeconds }) => agoSeconds < lateSeconds).length,
});
