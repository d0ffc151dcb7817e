import { randomBytes, randomUUID } from 'node:crypto';
import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database } from '../database/database.js';
import { Lru } from '../lang/lru.js';
import { withTimeout } from '../lang/with-timeout.js';
import type { SubjectKey } from './sealed-text.js';
import type { SubjectKeys } from './subject-keys.js';

type KeyDatabase = Pick<Database, 'rows'> & Partial<Pick<Database, 'changes'>>;

const keyBytes = 32;
const maxCachedKeys = 10_000;
const maxCachedCharacters = 4_000_000;
const wrapperTimeoutMs = 10_000;

/** The keys of subjects in PostgreSQL, wrapped; unwrapped ones are cached, and used while the store still has them. */
export class PostgresSubjectKeys implements SubjectKeys {
  #unwrapped = newCache();
  /** By subject and stream: the store knows both. */
  #known = newCache();
  #changes = 0;

  constructor(
    private readonly database: KeyDatabase,
    private readonly wrapper: KeyWrapper,
    private readonly timeoutMs: number = wrapperTimeoutMs,
  ) {}

  /** Refuses a master key that cannot open what another one has sealed. */
  async mustFit(): Promise<void> {
    const [stored] = await this.database.rows({
      text: "SELECT key_id, encode(wrapped_key, 'hex') FROM svc_subject_keys WHERE subject = ''",
    });
    const id = stored?.[0] ?? '';
    const check = stored?.[1] ?? (await this.#storeCheck(id));
    await this.#ask(() => this.wrapper.unwrap(Buffer.from(check, 'hex'), id));
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
    const key = await this.#ask(() => this.wrapper.unwrap(Buffer.from(wrapped, 'hex'), id));
    if (key.length !== keyBytes)
      throw unavailable(`unwrapped a key of ${key.length} bytes, not of ${keyBytes}`);
    const made = { id, key };
    this.#unwrapped.set(id, made);
    return made;
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
      text: "SELECT key_id, encode(wrapped_key, 'hex') FROM svc_subject_key($1, $2, NULL, NULL)",
      values: [subject, streamId],
    });
    return row;
  }

  /** Another host may have made one meanwhile: the stored one counts. */
  async #make(subject: string, streamId: Uuid | undefined) {
    const { id, wrapped } = await this.#newKey();
    const [row] = await this.database.rows({
      text: "SELECT key_id, encode(wrapped_key, 'hex') FROM svc_subject_key($1, $2, $3, decode($4, 'hex'))",
      values: [subject, streamId, id, wrapped],
    });
    return row;
  }

  async #storeCheck(id: Uuid): Promise<string> {
    const wrapped = await this.#ask(() => this.wrapper.wrap(randomBytes(keyBytes), id));
    const [row] = await this.database.rows({
      text: "SELECT encode(svc_subject_check(decode($1, 'hex')), 'hex')",
      values: [Buffer.from(wrapped).toString('hex')],
    });
    return row?.[0] ?? '';
  }

  async #newKey(): Promise<{ readonly id: Uuid; readonly wrapped: string }> {
    // Random, not dated: it is in every ciphertext.
    const id = randomUUID();
    const wrapped = await this.#ask(() => this.wrapper.wrap(randomBytes(keyBytes), id));
    return { id, wrapped: Buffer.from(wrapped).toString('hex') };
  }

  /** The service wrote the wrapper: it may throw, hang or return anything. */
  async #ask(wrapper: () => Promise<unknown>): Promise<Uint8Array> {
    let answer: unknown;
    try {
      answer = await withTimeout(this.timeoutMs, Promise.resolve().then(wrapper));
    } catch (cause) {
      if (cause instanceof Problem && cause.code === 'subject-keys-unavailable') throw cause;
      throw unavailable('fails or does not answer', cause);
    }
    if (answer instanceof Uint8Array) return answer;
    throw unavailable('did not return bytes');
  }
}

const newCache = () => new Lru<SubjectKey>(maxCachedKeys, maxCachedCharacters);

const unavailable = (what: string, cause?: unknown): Problem =>
  new Problem('subject-keys-unavailable', {
    detail: `The wrapper of the keys of subjects ${what}.`,
    cause,
  });
