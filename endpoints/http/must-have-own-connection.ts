import type { FastifyReply } from 'fastify';
import { Problem } from '../../contracts/problems.js';

/**
 * Refuses a stream behind a request that is not answered yet: it would wait for its turn, and Node reports no end of an
 * answer that never got one.
 */
export function mustHaveOwnConnection({ raw }: FastifyReply): void {
  if (raw.socket !== null) return;
  throw new Problem('malformed-request', {
    detail: 'Open a stream on a connection of its own, not behind a request that is not answered yet.',
  });
}
