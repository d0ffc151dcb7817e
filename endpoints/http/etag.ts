import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const etagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`;

/** `If-None-Match` compares weakly: a compressing proxy may have weakened the tag. */
export function isKnown(headers: IncomingHttpHeaders, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`);
}
