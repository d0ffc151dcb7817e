import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';

interface Namespaced {
  readonly namespace: string;
  readonly natsUrl: string | undefined;
}

/** A store stays in the namespace in which it first published: its messages, and what it receives, are there. */
export async function mustHaveNamespace(
  database: Pick<Database, 'rows'>,
  { namespace, natsUrl }: Namespaced,
): Promise<void> {
  const recorded =
    natsUrl === undefined ? await recordedNamespace(database) : await record(database, namespace);
  if (recorded === undefined || recorded === namespace) return;
  throw new Problem('invalid-setup', {
    detail: `This store publishes in the namespace ${recorded}, but this host is set to ${namespace}; set SVC_NAMESPACE=${recorded}.`,
  });
}

/** Undefined: no host with a broker has started yet. */
export async function recordedNamespace(database: Pick<Database, 'rows'>): Promise<string | undefined> {
  const [[namespace] = []] = await database.rows({ text: 'SELECT namespace FROM svc_store' });
  return namespace ?? undefined;
}

async function record(database: Pick<Database, 'rows'>, namespace: string): Promise<string | undefined> {
  const [[recorded] = []] = await database.rows({
    text: 'SELECT svc_record_namespace($1)',
    values: [namespace],
  });
  return recorded ?? undefined;
}
