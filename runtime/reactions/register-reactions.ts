import type { Database } from '../database/database.js';

/** A reaction or process of an application. */
interface RegisteredReaction {
  readonly kind: 'reaction' | 'process';
  readonly name: string;
  /** Where it begins when it is new. */
  readonly start: 'head' | 'beginning';
}

/** Stores what the application of a host that starts has; what it no longer has is an orphan. */
export async function registerReactions(
  database: Pick<Database, 'rows'>,
  list: readonly RegisteredReaction[],
): Promise<void> {
  // An application without reactions is a start, too.
  const all = [...list, { kind: 'timers', name: '' }];
  await database.rows({
    text: 'SELECT svc_register_reactions($1)',
    values: [JSON.stringify(all)],
  });
}
