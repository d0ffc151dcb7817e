import type { GraphQLField, GraphQLSchema } from 'graphql';
import { livePositionText } from '../../runtime/live/live-position.js';
import type { LiveMessage } from '../../runtime/live/watcher.js';
import type { Asked } from '../live/watched-perspective.js';
import type { MutationCall } from './mutation-call.js';
import { outdatedSchema } from './outdated-schema.js';
import type { PerspectiveWatches } from './perspective-watches.js';

/** What a subscription watches; its changes come from the live stream, and graphql-js completes each of them. */
export class WatchSource implements AsyncIterable<never> {
  constructor(
    readonly watches: PerspectiveWatches,
    readonly asked: Asked,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<never> {
    // Nothing is pulled.
  }
}

const changes = new WeakMap<LiveMessage, object>();

/** A change as the fields of its type read it; made once for all who get it. */
export function changeOf(message: LiveMessage): object {
  const known = changes.get(message);
  if (known !== undefined) return known;
  const change = {
    type: message.event,
    position: livePositionText(message.at),
    id: 'key' in message ? message.key : null,
    row: 'model' in message ? (JSON.parse(message.model) as unknown) : null,
  };
  changes.set(message, change);
  return change;
}

/** Lets perspectives resolve the fields of the subscription type. */
export function implementSubscriptions(schema: GraphQLSchema, all: readonly PerspectiveWatches[]): void {
  const byName = new Map(
    all.flatMap((watches) => [[watches.names.list, watches] as const, [watches.names.one, watches] as const]),
  );
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {}))
    implement(field, byName.get(field.name));
}

function implement(
  field: GraphQLField<unknown, MutationCall>,
  watches: PerspectiveWatches | undefined,
): void {
  if (watches === undefined) throw outdatedSchema(`no perspective is watched as '${field.name}'`);
  field.subscribe = (_source, args: Parameters<PerspectiveWatches['asked']>[1], call, { path }) =>
    call.readOf(String(path.key), async (reader) => new WatchSource(watches, watches.asked(reader, args)));
  field.resolve = (change) => change;
}
