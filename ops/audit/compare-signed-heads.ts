import type { Uuid } from '../../contracts/scalars.js';
import { Problem } from '../../contracts/problems.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { chainHeadType } from '../../runtime/audit/chain.js';
import type { Database } from '../../runtime/database/database.js';
import { readEnvelope } from '../../runtime/inbox/read-envelope.js';
import { destinationOf } from '../../runtime/transport/subjects.js';
import {
  type ComparedLog,
  HeadComparison,
  type HeadsReport,
  ownLog,
  receivedLog,
} from '../../runtime/trust/compare-heads.js';
import { keptHeads } from '../../runtime/trust/kept-heads.js';
import { readSignedHead, type SignedHead } from '../../runtime/trust/signed-head.js';
import { recordedNamespace } from '../../runtime/store/store-namespace.js';
import type { Config } from '../config/config.js';

type Settings = Pick<
  Config,
  'natsUrl' | 'natsCredentials' | 'name' | 'namespace' | 'signingKey' | 'signingKeyOld'
>;

/** What the heads at one place prove. */
export interface ComparedHeads extends HeadsReport {
  /** `nats`: the broker; `kept`: this store keeps those of others; otherwise the name of a file. */
  readonly source: string;
  /** Why the place could not be asked. */
  readonly failure?: string;
}

interface HeadsRequest {
  readonly settings: Settings;
  /** Another store, whose received records are compared. */
  readonly origin: Uuid | undefined;
  /** Heads that were exported, and the file they came from. */
  readonly exported: { readonly file: string; readonly heads: readonly SignedHead[] } | undefined;
}

/** Compares a log with every signed head that is kept outside it: at the broker, at the receiver, or in a file. */
export async function compareSignedHeads(
  database: Database,
  { settings, origin, exported }: HeadsRequest,
): Promise<readonly ComparedHeads[]> {
  const log = origin === undefined ? await ownLogOf(database, settings) : await receivedLog(database, origin);
  const found: ComparedHeads[] = [];
  if (exported !== undefined) found.push(await compareExported(log, exported.file, exported.heads));
  if (origin !== undefined) found.push(await compareAll(log, 'kept', keptHeads(database, origin)));
  else if (settings.natsUrl !== undefined) {
    const namespace = (await recordedNamespace(database)) ?? settings.namespace;
    found.push(await compareBroker(log, settings.natsUrl, { ...settings, namespace }));
  }
  return found;
}

async function ownLogOf(database: Database, { signingKey, signingKeyOld }: Settings): Promise<ComparedLog> {
  const log = await ownLog(database);
  const [given, before] = [signingKey, signingKeyOld].map((key) => key?.publicKey.toString('hex'));
  if (given !== undefined && log.publicKey !== undefined && ![given, before].includes(log.publicKey))
    throw new Problem('unexpected', {
      detail:
        'SVC_SIGNING_KEY is not the key that this store records: it is the key of another store, or svc_store.public_key was replaced.',
    });
  return { ...log, publicKey: log.publicKey ?? given };
}

async function compareAll(
  log: ComparedLog,
  source: string,
  batches: AsyncIterable<readonly SignedHead[]>,
): Promise<ComparedHeads> {
  const comparison = new HeadComparison(log);
  for await (const batch of batches) await comparison.take(batch);
  return { source, ...comparison.report() };
}

/** Someone chose the file, so it is trusted more than the store is. */
async function compareExported(
  log: ComparedLog,
  file: string,
  heads: readonly SignedHead[],
): Promise<ComparedHeads> {
  const comparison = new HeadComparison(log);
  await comparison.take(heads);
  const report = comparison.report();
  if (report.refused > 0)
    throw new Problem('unexpected', {
      detail: `${file} contains ${report.refused} heads of this store that its key did not sign: the file was altered, or the key of the store was replaced.`,
    });
  if (heads.every(({ store }) => store !== log.store))
    throw new Problem('usage', { detail: `${file} contains no head of store ${log.store}.` });
  return { source: file, ...report };
}

async function compareBroker(log: ComparedLog, url: string, settings: Settings): Promise<ComparedHeads> {
  const { heldMessages } = await import('../../runtime/transport/nats-held-messages.js');
  const { reasonOf } = await import('../../runtime/transport/nats-failure-reason.js');
  const subject = destinationOf({ messageType: chainHeadType, streamId: SystemEventStreams.streamId });
  const broker = {
    url,
    name: settings.name,
    credentials: settings.natsCredentials,
    namespace: settings.namespace,
  };
  const comparison = new HeadComparison(log);
  try {
    for await (const batch of heldMessages(subject, broker)) await comparison.take(batch.flatMap(headIn));
    return { source: 'nats', ...comparison.report() };
  } catch (error) {
    return { source: 'nats', ...comparison.report(), failure: reasonOf(error) };
  }
}

/** Anybody may have sent it: whatever is no signed head is skipped. */
function headIn(message: {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
}): SignedHead[] {
  try {
    const head = readSignedHead(readEnvelope(message.body, message.contentType).payload);
    return head === undefined ? [] : [head];
  } catch {
    return [];
  }
}
