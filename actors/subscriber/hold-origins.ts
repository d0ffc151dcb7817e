import { OriginWentBack } from '../../contracts/events/store-went-back.js';
import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { ClassifiedMessage } from '../../runtime/inbox/classify-message.js';
import type { EpochGroup, EpochResult, Inbox } from '../../runtime/inbox/inbox.js';
import { log } from '../../runtime/logging/log.js';
import { nowText } from '../../runtime/lang/now-text.js';

interface HeldMessage {
  classification: ClassifiedMessage;
}

interface HoldPorts {
  readonly inbox: Pick<Inbox, 'noteEpochs'>;
  /** Emits in the background. */
  readonly report: (message: SystemMessage) => void;
}

interface Group extends EpochGroup {
  position: number;
  signed: EpochGroup['signed'];
  readonly messages: HeldMessage[];
}

/**
 * A store that went back in time sends other events at positions that we hold: they become dead letters until an operator
 * has decided, and so does what it has lost and arrives late. Returns the groups whose store or key was not known before.
 */
export async function holdOrigins(
  classified: readonly HeldMessage[],
  ports: HoldPorts,
): Promise<readonly EpochGroup[]> {
  const groups = groupsOf(classified);
  const results = await noteOrigins(groups, ports);
  groups.forEach((group, index) => {
    const result = results[index];
    if (result !== undefined && 'fork' in result)
      for (const message of group.messages) hold(message, group, result);
  });
  return groups.filter((_, index) => results[index]?.is === 'unknown');
}

/** Those that were unknown are noted once more, after their first messages and heads were stored. */
export async function noteOrigins(
  groups: readonly EpochGroup[],
  { inbox, report }: HoldPorts,
): Promise<readonly EpochResult[]> {
  if (groups.length === 0) return [];
  const results = await inbox.noteEpochs(groups);
  groups.forEach((group, index) => {
    const result = results[index];
    if (result?.is === 'held' && result.isFresh) reportHeld(group, result, report);
  });
  return results;
}

/** In order: a batch may hold messages from before and after its store went back. */
function groupsOf(classified: readonly HeldMessage[]): Group[] {
  const groups: Group[] = [];
  for (const message of classified) {
    const one = groupOf(message);
    if (one === undefined) continue;
    const last = groups.findLast(({ store }) => store === one.store);
    if (last?.epoch === one.epoch && last.forks === one.forks && isSignedAlike(last, one)) {
      last.position = Math.max(last.position, one.position);
      last.signed = one.signed;
      last.messages.push(message);
    } else groups.push(one);
  }
  return groups;
}

function groupOf(message: HeldMessage): Group | undefined {
  const { classification } = message;
  if (classification.is === 'head') {
    const { store, head } = classification;
    if (typeof head.proof !== 'object') return undefined;
    const { publicKey, history } = head.proof;
    const { epoch, forks, publishedTo } = history;
    return { store, epoch, forks, position: 0, signed: { publicKey, publishedTo }, messages: [] };
  }
  if (classification.is !== 'event' && classification.is !== 'record') return undefined;
  if (classification.epoch === undefined) return undefined;
  const { envelope, epoch } = classification;
  const { store, globalPosition: position = 0 } = envelope;
  const proof = classification.is === 'event' ? classification.proof : undefined;
  const signed =
    typeof proof === 'object' ? { publicKey: proof.publicKey, publishedTo: position } : undefined;
  return { ...epoch, store, position, signed, messages: [message] };
}

const isSignedAlike = (one: Group, other: Group): boolean =>
  one.signed?.publicKey === other.signed?.publicKey;

function hold(
  message: HeldMessage,
  { store }: Group,
  { is, fork }: Extract<EpochResult, { readonly fork: number }>,
): void {
  const { classification } = message;
  if (classification.is !== 'event' && classification.is !== 'record') return;
  const { envelope } = classification;
  if (is === 'earlier' && (envelope.globalPosition ?? 0) <= fork) return;
  const detail =
    is === 'held'
      ? `Store ${store} went back to position ${fork}, and this store holds later events of it; release it with svc store release, then replay.`
      : `Store ${store} has lost this message: it went back to position ${fork}.`;
  message.classification = { is: 'dead', problem: new Problem('origin-went-back', { detail }), envelope };
}

function reportHeld(
  { store: storeId, epoch }: EpochGroup,
  { fork, heldTo }: Extract<EpochResult, { readonly is: 'held' }>,
  report: HoldPorts['report'],
): void {
  log.error(
    { store: storeId, epoch, fork, heldTo },
    'another store went back in time: its messages are held',
  );
  report(new OriginWentBack({ storeId, epoch, fork, heldTo, timestamp: nowText() }));
}
