import { randomBytes, randomUUID } from 'node:crypto';
import type { Uuid } from '../../contracts/scalars.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import type { SubjectKeys } from '../subjects/subject-keys.js';

/** Keys of subjects that last as long as a test. */
export class InMemorySubjectKeys implements SubjectKeys {
  readonly #keys = new Map<string, SubjectKey | undefined>();

  async keyOf(subject: string): Promise<SubjectKey | undefined> {
    if (!this.#keys.has(subject)) this.#keys.set(subject, { id: randomUUID(), key: randomBytes(32) });
    return this.#keys.get(subject);
  }

  async existing(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SubjectKey>> {
    const keys = [...this.#keys.values()].flatMap((key) => key ?? []);
    return new Map(keys.filter(({ id }) => ids.includes(id)).map((key) => [key.id, key]));
  }

  forget(subject: string): void {
    this.#keys.set(subject, undefined);
  }
}
