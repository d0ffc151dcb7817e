import type { Uuid } from '../../contracts/scalars.js';
import type { SubjectKey } from './sealed-text.js';

/** Where the keys of subjects are. */
export interface SubjectKeys {
  /** The key of a subject, made if it has none; undefined when the subject is forgotten. `streamId`: where values of it are. */
  keyOf(subject: string, streamId?: Uuid): Promise<SubjectKey | undefined>;
  /** Those of the keys that still exist, at the time of the call. */
  existing(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, SubjectKey>>;
}
