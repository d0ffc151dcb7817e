import { AuditTopic } from '../../contracts/audit.js';
import { Problem } from '../../contracts/problems.js';
import { subjectMatches } from './subjects.js';

/** The first part of all names at the broker, unless a store has another one. */
export const defaultNamespace = 'svc';

const streams = [
  { name: 'SVC_EVENTS', destinations: ['svc.events.>'] },
  { name: 'SVC_SYSTEM', destinations: ['svc.system.>', AuditTopic] },
] as const;

export const isNamespace = (text: string): boolean => /^[a-z0-9-]{1,32}$/.test(text);

export const namespaceRule = 'must be 1 to 32 lower-case letters, digits and -';

/** Names at the broker: where ours begin with `svc`, these begin with the namespace, so that stores can share a broker. */
export class NatsNames {
  /** The streams and their subjects. */
  readonly streams: readonly { readonly name: string; readonly subjects: readonly string[] }[];

  constructor(readonly namespace: string = defaultNamespace) {
    this.streams = streams.map(({ name, destinations }) => ({
      name: name.replace(/^SVC/, namespace.toUpperCase()),
      subjects: destinations.map((one) => this.subjectOf(one)),
    }));
  }

  subjectOf(destination: string): string {
    return destination.replace(/^svc(?=\.)/, this.namespace);
  }

  destinationOf(subject: string): string {
    return subject.startsWith(`${this.namespace}.`) ? `svc${subject.slice(this.namespace.length)}` : subject;
  }

  /** The name of a subscription begins with `svc-`. */
  consumerOf(subscription: string): string {
    return subscription.replace(/^svc(?=-)/, this.namespace);
  }

  /** The stream that holds all of these destinations. */
  streamOf(patterns: readonly string[]): string {
    const holding = streams.findIndex(({ destinations }) =>
      // When matched against a wider pattern, `*` and `>` are ordinary tokens.
      patterns.every((pattern) => destinations.some((one) => subjectMatches(one, pattern))),
    );
    const found = patterns.length > 0 ? this.streams[holding] : undefined;
    if (found !== undefined) return found.name;
    throw new Problem('invalid-setup', {
      detail: `A subscription needs subjects of one stream, svc.events.> or svc.system.> and ${AuditTopic}, not ${patterns.join(', ')}`,
    });
  }

  /** The stream that stores a message to this destination. */
  streamFor(destination: string): string | undefined {
    const subject = this.subjectOf(destination);
    return this.streams.find(({ subjects }) => subjects.some((one) => subjectMatches(one, subject)))?.name;
  }
}
