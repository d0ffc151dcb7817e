import type { Uuid } from './scalars.js';
import type { PerspectiveScope } from './security.js';

export type TransportName = 'rest' | 'graphql' | 'local';

/** One instance is shared by all hooks of a request. */
export interface MutationContext {
  /** Aborted when the client goes away or the deadline passes. */
  readonly cancellationToken: AbortSignal;
  /** State shared between hooks. */
  readonly items: Map<string, unknown>;
  readonly messageId: Uuid;
  readonly correlationId: string;
  readonly causationId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly scope: PerspectiveScope;
  readonly metadata: Record<string, unknown>;
  readonly transport: TransportName;
  readonly idempotency?: Idempotency | undefined;
}

/** A request's Idempotency-Key on its way to the commit. */
export interface Idempotency {
  readonly key: Uint8Array;
  readonly fingerprint: Uint8Array;
  /** The answer's text, made before the commit so that what is stored is what is sent. */
  readonly encode: (result: unknown) => string | null;
  /** What the handler refused with, if it did: only such a refusal may be stored. */
  refusal?: unknown;
  /** The text that was stored with the command's commit. */
  stored?: { readonly body: string | null };
}
