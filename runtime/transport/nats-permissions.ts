import { NatsNames } from './nats-names.js';

/** What a user of the broker may publish and subscribe to, as `permissions` in the configuration of nats-server. */
interface NatsPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Streams are created by the host that starts first; one that exists is not changed. */
const streamsOf = ({ streams }: NatsNames): readonly string[] => [
  '$JS.API.INFO',
  ...streams.flatMap(({ name }) => [`$JS.API.STREAM.INFO.${name}`, `$JS.API.STREAM.CREATE.${name}`]),
];

/** The name of a consumer contains the id of its store, which a wildcard cannot express. */
const consumersOf = (stream: string): readonly string[] => [
  `$JS.API.CONSUMER.INFO.${stream}.*`,
  `$JS.API.CONSUMER.CREATE.${stream}.*`,
  `$JS.API.CONSUMER.CREATE.${stream}.*.>`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.*`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
  `$JS.ACK.${stream}.>`,
];

const answers = ['_INBOX.>'];

/** The least that the hosts of a service need: they cannot publish the events of another service. */
export function hostPermissions(ownEvents: readonly string[], namespace?: string): NatsPermissions {
  const names = new NatsNames(namespace);
  const [events, system] = names.streams;
  return {
    publish: [
      ...ownEvents.map((type) => names.subjectOf(`svc.events.${type}`)),
      ...(system?.subjects ?? []),
      ...streamsOf(names),
      // The relay reads who sent the last message.
      ...(events === undefined ? [] : [`$JS.API.STREAM.MSG.GET.${events.name}`]),
      ...[events, system].flatMap((stream) => (stream === undefined ? [] : consumersOf(stream.name))),
    ],
    subscribe: answers,
  };
}

/** The least that a monitor needs: it publishes no domain event and reads none. */
export function monitorPermissions(namespace?: string): NatsPermissions {
  const names = new NatsNames(namespace);
  const [, system] = names.streams;
  if (system === undefined) return { publish: [], subscribe: answers };
  return {
    publish: [...system.subjects, ...streamsOf(names), ...consumersOf(system.name)],
    subscribe: answers,
  };
}
