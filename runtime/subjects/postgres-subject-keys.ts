import { randomBytes, randomUUID } from 'node:crypto';
import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { Lru } from '../lang/lru.js';
import { askWrapper, unwrapWith, wrapperFails, wrapperTimeoutMs } from './ask-wrapper.js';
import type { SubjectKey } from './sealed-text.js';
import type { SubjectKeys } from './subject-keys.js';

type KeyDatabase = Pick<Database, 'rows'> & Partial<Pick<Database, 'changes'>>;

const keyBytes = 32;
const maxCachedKeys = 10_000;
const maxCachedCharacters = 4_000_000;

/** What wraps new keys. */
interface PresentMaster {
  readonly wrapper: KeyWrapper;
  /** Its number in the store. */
  readonly master: number;
}

/** The keys of subjects in PostgreSQL, wrapped; unwrapped ones are cached, and used while the store still has them. */
export class PostgresSubjectKeys implements SubjectKeys {
  #unwrapped = newCache();
  /** By subject and stream: the store knows both. */
  #known = newCache();
  #changes = 0;
  #present: PresentMaster | undefined;

  constructor(
    private readonly database: KeyDatabase,
    private readonly wrapper: KeyWrapper,
    private readonly timeoutMs: number = wrapperTimeoutMs,
    /** Unwraps what the wrapper cannot, while a rotation replaces it. */
    private readonly old?: KeyWrapper,
  ) {}

  /** Refuses a master key that cannot open what another one has sealed. */
  async mustFit(): Promise<void> {
    const { master } = await this.#findPresent();
    if (this.old !== undefined) return;
    const [row] = await this.database.rows({
      text: `SELECT key_id, encode(wrapped_key, 'hex') FROM svc_subject_keys
        WHERE master BETWEEN 1 AND $1 AND wrapped_key IS NOT NULL AND subject <> '' LIMIT 1`,
      values: [master - 1],
    });
    const [id, wrapped] = row ?? [];
    if (typeof id === 'string' && typeof wrapped === 'string')
      await this.#open(id, wrapped).catch((cause: unknown) => {
        throw new Problem('subject-keys-unavailable', { detail: notEnded, cause });
      });
  }

  /** While a rotation has not begun, hosts that have the new master key still use the old one. */
  async #findPresent(): Promise<PresentMaster> {
    const [stored] = await this.database.rows({
      text: "SELECT key_id, encode(wrapped_key, 'hex'), master FROM svc_subject_keys WHERE subject = ''",
    });
    const [id, master] = [stored?.[0] ?? '', Number(stored?.[2])];
    const check = stored?.[1] ?? (await this.#storeCheck(id));
    const { wrapper } = await this.#open(id, check);
    return (this.#present = { wrapper, master });
  }

  async keyOf(subject: string, streamId?: Uuid): Promise<SubjectKey | undefined> {
    this.#dropAfterReconnect();
    const name = `${streamId ?? ''} ${subject}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const row = (await this.#stored(subject, streamId)) ?? (await this.#make(subject, streamId));
    const [id, wrapped] = row ?? [];
    if (typeof id !== 'string' || typeof wrapped !== 'string') return undefined;
    const key = await this.#unwrap(id, wrapped);
    this.#known.set(name, key);
    return key;
  }

  /** Asks the store each time: a key that was destroyed must open nothing from then on. */
  async existing(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SubjectKey>> {
    const rows = await this.database.rows({
      name: 'svc_subject_keys',
      text: `SELECT key_id, encode(wrapped_key, 'hex') FROM svc_subject_keys
        WHERE key_id = ANY($1) AND wrapped_key IS NOT NULL AND subject <> ''`,
      values: [ids],
    });
    const keys = new Map<Uuid, SubjectKey>();
    for (const [id, wrapped] of rows) if (id && wrapped) keys.set(id, await this.#unwrap(id, wrapped));
    return keys;
  }

  /** A key that was destroyed must not stay in memory either. */
  dropCached(): void {
    this.#unwrapped = newCache();
    this.#known = newCache();
  }

  async #unwrap(id: Uuid, wrapped: string): Promise<SubjectKey> {
    const cached = this.#unwrapped.get(id);
    if (cached !== undefined) return cached;
    const { key } = await this.#open(id, wrapped);
    if (key.length !== keyBytes)
      throw wrapperFails(`unwrapped a key of ${key.length} bytes, not of ${keyBytes}`);
    const made = { id, key };
    this.#unwrapped.set(id, made);
    return made;
  }

  /** The old master key answers at once, a key management service does not. */
  #open(id: Uuid, wrapped: string) {
    const wrappers = this.old === undefined ? [this.wrapper] : [this.old, this.wrapper];
    return unwrapWith(wrappers, Buffer.from(wrapped, 'hex'), id, this.timeoutMs);
  }

  /** The store that answers now may have lost the newest keys. */
  #dropAfterReconnect(): void {
    const { changes = 0 } = this.database;
    if (changes !== this.#changes) this.#known = newCache();
    this.#changes = changes;
  }

  async #stored(subject: string, streamId: Uuid | undefined) {
    const [row] = await this.database.rows({
      name: 'svc_subject_key',
      text: "SELECT key_id, encode(wrapped_key, 'hex') FROM svc_subject_key($1, $2, NULL, NULL, NULL)",
      values: [subject, streamId],
    });
    return row;
  }

  /** Another host may have made one meanwhile: the stored one counts. */
  async #make(subject: string, streamId: Uuid | undefined) {
    const row = await this.#offer(subject, streamId, this.#present ?? (await this.#findPresent()));
    // None: a rotation has begun, and a key that is wrapped with the old master key would be missed by it.
    const made = row ?? (await this.#offer(subject, streamId, await this.#findPresent()));
    if (made === undefined) throw wrapperFails('was replaced meanwhile; try again');
    return made;
  }

  async #offer(subject: string, streamId: Uuid | undefined, { wrapper, master }: PresentMaster) {
    const { id, wrapped } = await this.#newKey(wrapper);
    const [row] = await this.database.rows({
      text: "SELECT key_id, encode(wrapped_key, 'hex') FROM svc_subject_key($1, $2, $3, decode($4, 'hex'), $5)",
      values: [subject, streamId, id, wrapped, master],
    });
    return row;
  }

  async #storeCheck(id: Uuid): Promise<string> {
    const wrapped = await askWrapper(() => this.wrapper.wrap(randomBytes(keyBytes), id), this.timeoutMs);
    const [row] = await this.database.rows({
      text: "SELECT encode(svc_subject_check(decode($1, 'hex')), 'hex')",
      values: [Buffer.from(wrapped).toString('hex')],
    });
    return row?.[0] ?? '';
  }

  async #newKey(wrapper: KeyWrapper): Promise<{ readonly id: Uuid; readonly wrapped: string }> {
    // Random, not dated: it is in every ciphertext.
    const id = randomUUID();
    const wrapped = await askWrapper(() => wrapper.wrap(randomBytes(keyBytes), id), this.timeoutMs);
    return { id, wrapped: Buffer.from(wrapped).toString('hex') };
  }
}

const newCache = () => new Lru<SubjectKey>(maxCachedKeys, maxCachedCharacters);

const notEnded =
  'The master key is being replaced, and some keys of subjects still have the one before: set SVC_MASTER_KEY_OLD to that one until svc store rotate-master has ended.';
