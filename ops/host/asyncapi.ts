import { NatsNames } from '../../runtime/transport/nats-names.js';

interface Channels {
  readonly channels?: Readonly<Record<string, object>>;
}

/** The document with the addresses of this host's namespace, whichever it was generated for. */
export function asyncApiIn(namespace: string, document: string): string {
  const names = new NatsNames(namespace);
  const parsed = JSON.parse(document) as Channels;
  const addressed = Object.entries(parsed.channels ?? {}).map(([type, channel]) => [
    type,
    { ...channel, address: names.subjectOf(`svc.events.${type}`) },
  ]);
  return `${JSON.stringify({ ...parsed, channels: Object.fromEntries(addressed) }, undefined, 2)}\n`;
}
