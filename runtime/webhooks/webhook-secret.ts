import { hkdfSync } from 'node:crypto';
import type { Uuid } from '../../contracts/scalars.js';
import type { SubjectKeys } from '../subjects/subject-keys.js';

const secretBytes = 32;

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
  return Buffer.from(hkdfSync('sha256', key.key, webhookId, `svc webhook ${generation}`, secretBytes));
}
