import type { Json, Long, Timestamp } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import type { NotificationSource } from '../database/notifications.js';
import { partOf } from '../lang/part-of.js';
import { timestampOf } from '../store/stored-rows.js';

/** An instance as it is now, for those who may see it. */
export interface InstanceNow {
  /** Of the event that started it. */
  readonly tenant: string | undefined;
  readonly state: string;
  readonly status: 'running' | 'ended' | 'parked';
  /** When it last moved. */
  readonly since: Timestamp;
  /** Null: it was parked before its first state. */
  readonly context: Json;
}

interface Ports {
  readonly database: Pick<Database, 'rows'>;
  readonly notifications: NotificationSource;
}

type IsAwaited = (instance: InstanceNow) => boolean;

interface Waiter {
  readonly isAwaited: IsAwaited;
  readonly resolve: (instance: InstanceNow | undefined) => void;
}

/** An instance that someone waits for. */
interface Awaited {
  readonly name: string;
  readonly key: string;
  readonly waiters: Set<Waiter>;
  revision: Long;
  last: InstanceNow | undefined;
}

/** Commits that follow each other closely are looked at together. */
const restMs = 5;
/** When no notification comes: the connection that listens may be lost. */
const idleMs = 1_000;

/**
 * Reads instances one at a time, which lets the planner find each by its key, however many rows it expects. Those that
 * did not change are left out.
 */
const changedText = `SELECT a.n, p.* FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
    WITH ORDINALITY a(name, key, follower, revision, status, n)
  CROSS JOIN LATERAL (SELECT v.revision, v.tenant, v.state, v.updated_at, v.snapshot -> 'context',
      CASE WHEN w.key IS NULL THEN v.status ELSE 'parked' END AS status
    FROM svc_processes v LEFT JOIN LATERAL (SELECT u.key FROM svc_stuck_work u
      WHERE u.follower = a.follower AND u.key = a.key AND u.state = 'parked' LIMIT 1) w ON true
    WHERE v.name = a.name AND v.key = a.key LIMIT 1) p
  WHERE p.revision <> a.revision OR p.status <> a.status`;

/** Who waits for instances of processes on this host: one query for all of them each time that the log grows. */
export class AwaitedInstances {
  readonly #awaited = new Map<string, Awaited>();
  #isStopped = false;
  #isDue = false;
  #wake: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(private readonly ports: Ports) {}

  async read(name: string, key: string): Promise<InstanceNow | undefined> {
    const [found] = await this.#changed([{ name, key, revision: -1, last: undefined }]);
    return found?.instance;
  }

  /**
   * Resolves when the instance is as it is awaited. When the signal aborts or the host stops, to what it was last;
   * undefined: there was none.
   */
  wait(
    name: string,
    key: string,
    isAwaited: IsAwaited,
    signal: AbortSignal,
  ): Promise<InstanceNow | undefined> {
    if (this.#isStopped || signal.aborted) return this.read(name, key);
    const place = `${name}\0${key}`;
    const found = this.#awaited.get(place);
    const awaited = found ?? { name, key, waiters: new Set<Waiter>(), revision: -1, last: undefined };
    if (found === undefined) this.#awaited.set(place, awaited);
    return new Promise((resolve) => {
      const end = (instance: InstanceNow | undefined): void => {
        signal.removeEventListener('abort', abort);
        awaited.waiters.delete(waiter);
        if (awaited.waiters.size === 0) this.#awaited.delete(place);
        resolve(instance);
      };
      const abort = (): void => end(awaited.last);
      const waiter: Waiter = { isAwaited, resolve: end };
      signal.addEventListener('abort', abort);
      awaited.waiters.add(waiter);
      if (awaited.last !== undefined && isAwaited(awaited.last)) end(awaited.last);
      else this.#look();
    });
  }

  /** Everybody gets what is known. */
  stop(): void {
    this.#isStopped = true;
    for (const { waiters, last } of this.#awaited.values())
      for (const waiter of waiters) waiter.resolve(last);
    this.#look();
  }

  #look(): void {
    this.#isDue = true;
    this.#wake?.();
    if (this.#unsubscribe !== undefined || this.#awaited.size === 0) return;
    this.#unsubscribe = this.ports.notifications.subscribe((channel) => {
      if (channel !== 'svc' && channel !== 'svc_lease') return;
      this.#isDue = true;
      this.#wake?.();
    });
    void this.#run();
  }

  /** Until nobody waits any more. */
  async #run(): Promise<void> {
    while (this.#awaited.size > 0) {
      this.#isDue = false;
      // A store that does not answer is asked again: every waiter has a signal.
      await this.#round().catch(() => undefined);
      await this.#pause(restMs);
      if (!this.#isDue && this.#awaited.size > 0) await this.#pause(idleMs, true);
    }
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  async #round(): Promise<void> {
    for (const { of: awaited, revision, instance } of await this.#changed([...this.#awaited.values()])) {
      awaited.revision = revision;
      awaited.last = instance;
      for (const waiter of awaited.waiters) if (waiter.isAwaited(instance)) waiter.resolve(instance);
    }
  }

  async #changed<T extends Pick<Awaited, 'name' | 'key' | 'revision' | 'last'>>(
    list: readonly T[],
  ): Promise<readonly { readonly of: T; readonly revision: Long; readonly instance: InstanceNow }[]> {
    const values = [
      list.map(({ name }) => name),
      list.map(({ key }) => key),
      list.map(({ name, key }) => `process/${name}/${partOf(key)}`),
      list.map(({ revision }) => revision),
      list.map(({ last }) => last?.status ?? ''),
    ];
    const rows = await this.ports.database.rows({ name: 'svc_awaited', text: changedText, values });
    return rows.flatMap(([at, revision, ...row]) => {
      const of = list[Number(at) - 1];
      return of === undefined ? [] : [{ of, revision: Number(revision), instance: instanceOf(row) }];
    });
  }

  #pause(ms: number, canWake = false): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms).unref();
      if (canWake) this.#wake = end;
    });
  }
}

const instanceOf = ([tenant = null, state, since, context, status]: Row): InstanceNow => ({
  tenant: tenant ?? undefined,
  state: state ?? '',
  status: status as InstanceNow['status'],
  since: timestampOf(since),
  context: JSON.parse(context ?? 'null') as Json,
});
