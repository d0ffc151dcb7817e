/** Commands, events and perspectives of a service, with what was stored lately. */
export interface EventModel {
  readonly commands: readonly string[];
  readonly events: readonly EventCount[];
  readonly perspectives: readonly { readonly name: string; readonly events: readonly string[] }[];
  /** Which commands were seen to append which events. */
  readonly appended: readonly Appended[];
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

/** A stored event: its type, its request, and how long ago it was stored. */
export interface SeenEvent {
  readonly type: string;
  readonly correlationId: string;
  readonly agoSeconds: number;
}

interface Declared {
  readonly commands: readonly string[];
  readonly events: readonly string[];
  readonly perspectives: EventModel['perspectives'];
}

const lateSeconds = 60;

/** What is declared, joined with what was seen: an event belongs to the command of its request. */
export function eventModelOf(
  declared: Declared,
  seen: readonly SeenEvent[],
  commandOf: (correlationId: string) => string | undefined,
): EventModel {
  const types = new Set([...declared.events, ...seen.map(({ type }) => type)]);
  const appended = new Map<string, SeenEvent[]>();
  for (const event of seen) {
    const command = commandOf(event.correlationId);
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
    appended: pairs,
    examined: seen.length,
  };
}

const countsOf = (events: readonly SeenEvent[]) => ({
  count: events.length,
  lately: events.filter(({ agoSeconds }) => agoSeconds < lateSeconds).length,
});
