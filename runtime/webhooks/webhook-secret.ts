import { hkdfSync } from 'node:crypto';
import type { Uuid } from '../../contracts/scalars.js';
import { Lru } from '../lang/lru.js';
import type { SubjectKey } from '../subjects/sealed-text.js';
import type { SubjectKeys } from '../subjects/subject-keys.js';

const secretBytes = 32;
const mostGenerations = 8;

/** Deriving a secret takes longer than signing with it. They are forgotten with the key. */
const derived = new WeakMap<SubjectKey, Lru<Uint8Array>>();

/** The subject whose key the secrets of a webhook are derived from. */
export const subjectOfWebhook = (webhookId: Uuid): string => `webhook:${webhookId}`;

/** Derives the secret of a generation; undefined when the key was destroyed. */
export async function webhookSecret(
  keys: SubjectKeys,
  webhookId: Uuid,
  generation: Uuid,
): Promise<Uint8Array | undefined> {
  const key = await keys.keyOf(subjectOfWebhook(webhookId));
  if (key === undefined) return undefined;
  const secrets = derived.get(key) ?? new Lru<Uint8Array>(mostGenerations, Infinity);
  derived.set(key, secrets);
  const secret = secrets.get(generation) ?? secretFrom(key, webhookId, generation);
  secrets.set(generation, secret);
  return secret;
}

const secretFrom = ({ key }: SubjectKey, webhookId: Uuid, generation: Uuid): Uint8Array =>
  Buffer.from(hkdfSync('sha256', key, webhookId, `svc webhook ${generation}`, secretBytes));
