import { startRefreshing } from '../../actors/start-refreshing.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { masterKeyWrapper } from '../../runtime/subjects/master-key.js';
import { PostgresSubjectKeys } from '../../runtime/subjects/postgres-subject-keys.js';
import { SubjectSealing } from '../../runtime/subjects/subject-sealing.js';
import type { Config } from '../config/config.js';
import { notify } from '../../runtime/database/notify.js';

type Sealed = Pick<Registry, 'sealed' | 'webhooks'>;

/** Refuses a service with sealed fields or webhooks, and nothing to wrap keys with. */
export function mustHaveMasterKey(
  definition: ServiceDefinition,
  config: Config,
  { sealed = [], webhooks = [] }: Sealed,
): void {
  const [first] = sealed;
  const why =
    first === undefined
      ? 'The secrets of webhooks are derived from keys'
      : `${first.type.name} has fields marked @Sensitive({ subject })`;
  if (sealed.length + webhooks.length === 0 || wrapperOf(definition, config) !== undefined) return;
  throw new Problem('invalid-setup', {
    detail: `${why}, and there is no master key; set SVC_MASTER_KEY to 32 random bytes in base64 (openssl rand -base64 32), the same for every host, or give the service a keyWrapper.`,
  });
}

const wrapperOf = (
  { keyWrapper }: ServiceDefinition,
  { masterKey }: Pick<Config, 'masterKey'>,
): KeyWrapper | undefined =>
  keyWrapper ?? (masterKey === undefined ? undefined : masterKeyWrapper(masterKey));

/** Makes the store seal and open what the service declares; undefined when it declares nothing. */
export async function sealSubjects(
  database: Database,
  store: Pick<UnitStore, 'upcasters'>,
  definition: ServiceDefinition,
  config: Config,
  { sealed = [], webhooks = [] }: Sealed,
): Promise<PostgresSubjectKeys | undefined> {
  mustHaveMasterKey(definition, config, { sealed, webhooks });
  const wrapper = wrapperOf(definition, config);
  if (sealed.length + webhooks.length === 0 || wrapper === undefined || store.upcasters === undefined)
    return undefined;
  const { masterKeyOld } = config;
  const old = masterKeyOld === undefined ? undefined : masterKeyWrapper(masterKeyOld);
  const keys = new PostgresSubjectKeys(database, wrapper, undefined, old);
  await keys.mustFit();
  if (sealed.length > 0) store.upcasters.sealing = new SubjectSealing(sealed, keys);
  return keys;
}

export interface SubjectPorts {
  readonly supervisor: Supervisor;
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly leases: Pick<HostLeases, 'watch'>;
  readonly definition: ServiceDefinition;
  readonly registry: Sealed;
  /** What is kept of deciders is dropped when a subject was forgotten, on any host. */
  readonly states?: { forgetSubjects(): void };
  readonly everyMs?: number;
}

const subjectsEveryMs = 1_500;

/** Also has read models folded again whose subjects were forgotten, on any host or while none ran. */
export async function startSubjects(
  ports: SubjectPorts,
  store: Pick<UnitStore, 'upcasters'>,
  config: Config,
): Promise<PostgresSubjectKeys | undefined> {
  const { supervisor, database, definition, registry, everyMs = subjectsEveryMs } = ports;
  const keys = await sealSubjects(database, store, definition, config, registry);
  if (keys === undefined) return undefined;
  let last: string | null | undefined;
  const refresh = async (): Promise<void> => {
    const [[forgotten = null, requested] = []] = await database.rows({
      text: 'SELECT forgotten_at, requested FROM svc_subject_turn()',
    });
    if (requested === 't') await notify(database, 'svc_lease');
    if (forgotten !== last) {
      keys.dropCached();
      ports.states?.forgetSubjects();
    }
    last = forgotten;
  };
  const copy = { name: 'the forgotten subjects', channel: 'svc_subjects', everyMs, refresh } as const;
  await supervisor.start({ name: 'subjects', start: () => startRefreshing(copy, ports) });
  return keys;
}
