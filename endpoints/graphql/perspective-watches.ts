import { typeNameOf } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { liveKeyOf, resumeOf } from '../live/live-query.js';
import { openStream, type StreamPorts } from '../live/open-stream.js';
import { type Asked, WatchedPerspective } from '../live/watched-perspective.js';
import { type ReadNames, readNamesOf } from '../read-names.js';
import { type ListArguments, listQueryOf } from './list-arguments.js';
import type { Reader } from './perspective-reads.js';

interface WatchArguments extends Pick<ListArguments, 'filter'> {
  /** Of one row. */
  readonly id?: string;
  readonly after?: string | null;
}

/** How the fields of the subscription type watch a perspective: with the checks and limits of its live routes. */
export class PerspectiveWatches {
  constructor(
    readonly names: ReadNames,
    private readonly watched: WatchedPerspective,
    private readonly ports: StreamPorts,
  ) {}

  /** Throws when the caller may not watch; a reconnecting browser sends a header that is newer than `after`. */
  asked({ caller, origin, lastEventId }: Reader, args: WatchArguments): Asked {
    const { perspective, scopeFlags, rules } = this.watched;
    const { permission = 'authenticated', name: type } = perspective;
    const refusal = caller?.guard?.refusalOf(caller.identity, permission, { type }, scopeFlags, origin);
    if (refusal !== undefined) throw refusal;
    const columns = new Map(rules.table.columns.map((column) => [column.name, column]));
    const { filters } = listQueryOf({ filter: args.filter ?? {} }, columns);
    return {
      key: args.id === undefined ? undefined : liveKeyOf(args.id),
      filters: filters.map(({ column, operator, values }) => ({ name: column.name, operator, values })),
      after: resumeOf(lastEventId ?? args.after),
    };
  }

  open(
    request: Parameters<typeof openStream>[1],
    asked: Asked,
    format: Parameters<typeof openStream>[4],
  ): void {
    openStream(this.ports, request, this.watched, asked, format);
  }
}

/** Of all perspectives that have a route. */
export function perspectiveWatches(
  perspectives: readonly AnyPerspective[],
  ports: StreamPorts,
  isSensitive: (type: string) => boolean,
): readonly PerspectiveWatches[] {
  return perspectives.flatMap((perspective) => {
    const names = perspective.route === undefined ? undefined : readNamesOf(perspective.route);
    if (names === undefined) return [];
    const hides = perspective.events.some((type) => isSensitive(typeNameOf(type)));
    const watched = new WatchedPerspective(perspective, ports.authentication?.guard, hides);
    return [new PerspectiveWatches(names, watched, ports)];
  });
}
