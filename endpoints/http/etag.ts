import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const etagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`;

/** `If-None-Match` compares weakly: a proxy that compresses may have made the tag a weak one. */
export function isKnown(headers: IncomingHttpHeaders, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`);
}
