import { createHash, randomBytes } from 'node:crypto';
import type { StagedRecord } from '../../contracts/unit-store.js';

/** Whether an audit does not hold the event as it is stored: some of its values are hidden. */
export function hidesBody({ of, envelope }: StagedRecord): boolean {
  if (of === undefined) return false;
  const { originalBody } = envelope.payload as { readonly originalBody?: unknown };
  return originalBody !== undefined && originalBody !== (of.envelope.payload ?? null);
}

/** Covers what an audit hides. The metadata has a salt, so that a hidden value cannot be guessed from the audit. */
export const storedDigest = (metadata: string, data: string): string =>
  createHash('sha256').update(metadata).update('\n').update(data).digest('hex');

export const newSalt = (): string => randomBytes(16).toString('base64url');
