import { createHash } from 'node:crypto';

export const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url')}"`;

/** `If-None-Match` compares weakly: a proxy that compresses may have made the tag a weak one. */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
