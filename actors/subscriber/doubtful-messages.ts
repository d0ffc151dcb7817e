import { Problem } from '../../contracts/problems.js';
import { isUuid, type Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { InboundMessage } from '../../contracts/transport.js';
import type { ClassifiedMessage } from '../../runtime/inbox/classify-message.js';
import type { KnownStore } from '../../runtime/inbox/inbox.js';
import { epochOf } from '../../runtime/trust/epoch-headers.js';
import { proofOf } from '../../runtime/trust/signed-message.js';

export interface DeadMessage {
  readonly message: InboundMessage;
  readonly classification: Extract<ClassifiedMessage, { readonly is: 'dead' }>;
}

/** Anybody who may publish can send these under any name, as many as they like. */
const doubtful: ReadonlySet<string> = new Set([
  'forged-message',
  'unsigned-message',
  'forged-header',
  'invalid-message',
  'message-too-large',
  'too-many-stores',
]);

/** The store that the message names. */
export function claimedStore({ message, classification }: DeadMessage): Uuid[] {
  const store = classification.envelope?.store ?? message.header('svc-store');
  return isUuid(store) ? [store] : [];
}

/**
 * The kind of a message that need not be of the store it names: the reason and the store. Undefined: it may be, so it must
 * not be lost; above all when that store has signed it.
 */
export function doubtAbout(dead: DeadMessage, known: ReadonlyMap<Uuid, KnownStore>): string | undefined {
  const { problem, envelope } = dead.classification;
  if (!(problem instanceof Problem)) return undefined;
  const [store = ''] = claimedStore(dead);
  const publicKey = known.get(store)?.publicKey;
  // At a position that a signed head covers, another record is forged.
  const isForgedRecord =
    problem.code === 'place-taken' &&
    envelope?.streamId === SystemEventStreams.streamId &&
    publicKey !== undefined;
  if (!isForgedRecord && !doubtful.has(problem.code)) return undefined;
  if (publicKey !== undefined && isSignedWith(publicKey, store, dead)) return undefined;
  return `${problem.code} ${known.has(store) ? store : 'unknown'}`;
}

function isSignedWith(publicKey: string, store: Uuid, { message }: DeadMessage): boolean {
  const { subject, body } = message;
  const contentType = message.header('content-type');
  const proof = proofOf({ store, subject, contentType, body, epoch: epochIn(message) }, (name) =>
    message.header(name),
  );
  return typeof proof === 'object' && proof.publicKey === publicKey;
}

function epochIn(message: InboundMessage): ReturnType<typeof epochOf> {
  try {
    return epochOf(message);
  } catch {
    return undefined;
  }
}
