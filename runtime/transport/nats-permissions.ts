import { AuditTopic } from '../../contracts/audit.js';

/** What a user of the broker may publish and subscribe to, as `permissions` in the configuration of nats-server. */
interface NatsPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Streams are created by the host that starts first; one that exists is not changed. */
const streams = [
  '$JS.API.INFO',
  ...['SVC_EVENTS', 'SVC_SYSTEM'].flatMap((stream) => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.CREATE.${stream}`,
  ]),
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

const systemMessages = ['svc.system.>', AuditTopic];
const answers = ['_INBOX.>'];

/** The least that the hosts of a service need: they cannot publish the events of another service. */
export const hostPermissions = (ownEvents: readonly string[]): NatsPermissions => ({
  publish: [
    ...ownEvents.map((type) => `svc.events.${type}`),
    ...systemMessages,
    ...streams,
    ...consumersOf('SVC_EVENTS'),
    ...consumersOf('SVC_SYSTEM'),
  ],
  subscribe: answers,
});

/** The least that a monitor needs: it publishes no domain event and reads none. */
export const monitorPermissions: NatsPermissions = {
  publish: [...systemMessages, ...streams, ...consumersOf('SVC_SYSTEM')],
  subscribe: answers,
};
