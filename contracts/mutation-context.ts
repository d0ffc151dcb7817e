import type { Flags } from './flags.js';
import type { Uuid } from './scalars.js';
import type { Identity, RequestHeaders } from './identity.js';
import type { PerspectiveScope } from './perspective-scope.js';

export type TransportName = 'rest' | 'graphql' | 'mcp' | 'local' | 'reaction' | 'timer';

/**
 * One instance, shared by all hooks of a request.
 *
 * @example
 * ```ts
 * protected override onBeforeExecute(_: ShipOrder, { identity }: MutationContext): void {
 *   if (identity === undefined) throw new Problem('unknown-caller', { status: 403 });
 * }
 * ```
 */
export interface MutationContext {
  /** Aborted when the client disconnects or the deadline passes. */
  readonly cancellationToken: AbortSignal;
  /** State shared between hooks. */
  readonly items: Map<string, unknown>;
  readonly messageId: Uuid;
  readonly correlationId: string;
  readonly causationId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly scope: PerspectiveScope;
  /** Who sent the request; unset without authentication and for work of the service itself. */
  readonly identity?: Identity | undefined;
  /** The headers of the request, without credentials; empty without a transport. */
  readonly headers: RequestHeaders;
  /** The feature flags for this caller. */
  readonly flags: Flags;
  readonly metadata: Record<string, unknown>;
  readonly transport: TransportName;
  readonly idempotency?: Idempotency | undefined;
}

/** A request's Idempotency-Key on its way to the commit. */
export interface Idempotency {
  readonly key: Uint8Array;
  readonly fingerprint: Uint8Array;
  /** Encodes the response before the commit, so the stored text is the text that is sent. */
  readonly encode: (result: unknown) => string | null;
}
