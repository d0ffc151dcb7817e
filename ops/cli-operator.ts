import { userInfo } from 'node:os';
import { addSystemEvents } from '../actors/add-system-events-and-auditing.js';
import { type OperatorAction, recordOperatorAction } from '../runtime/audit/operator-action.js';
import type { Database } from '../runtime/database/database.js';
import { addService } from '../runtime/service/service.js';
import { eventStore } from '../runtime/service/register-event-store.js';
import { openPostgresStore } from '../runtime/store/postgres-event-store.js';
import type { Config } from './config.js';

const mostOfName = 256;

/** The operator: SVC_ACTOR, else the user of the operating system. */
export function currentOperator(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = env['SVC_ACTOR']
    ?.replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, mostOfName);
  if (named) return named;
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have an id and no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Records an operator action of the command line in the store it changed. */
export async function recordCliAction(
  database: Database,
  { name: host, broadcast }: Pick<Config, 'name' | 'broadcast'>,
  action: Omit<OperatorAction, 'actor'>,
): Promise<void> {
  const store = openPostgresStore(database, { host });
  const service = addService()
    .with(eventStore(store))
    .with(addSystemEvents((options) => (broadcast ? options.broadcast() : options)));
  try {
    await recordOperatorAction(service.emitter, { ...action, actor: currentOperator() });
  } finally {
    await service.stop();
    await store.close();
  }
}
