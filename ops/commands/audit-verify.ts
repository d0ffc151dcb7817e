import { Problem } from '../../contracts/problems.js';
import type { ChainHead } from '../../runtime/audit/chain.js';
import { type ChainReport, verifyChain } from '../../runtime/audit/verify-chain.js';
import type { EventFault, EventsReport } from '../../runtime/audit/event-comparisons.js';
import { verifyEvents } from '../../runtime/audit/verify-events.js';
import type { Database } from '../../runtime/database/database.js';
import { compareSignedHeads, type ComparedHeads } from '../audit/compare-signed-heads.js';
import { onOneLine } from '../audit/format-record.js';
import type { HeadFile } from '../audit/read-head-file.js';
import { deniedIn, deniedText, firstDenied, headsLines } from '../audit/signed-heads-text.js';
import type { Config } from '../config/config.js';
import { printToStdout } from '../terminal/print.js';
import { progressBar } from '../terminal/progress-bar.js';

interface VerifyRequest {
  readonly against: HeadFile | undefined;
  /** Verifies the received records of this store. */
  readonly origin: string | undefined;
  /** Whether domain events are compared with their audits. */
  readonly events: boolean;
  readonly json: boolean;
  /** Where the signed heads of this store are. */
  readonly settings: Config;
}

/** Verifies the chain, that no record is missing, and that no signed head denies it; exits with 1 otherwise. */
export async function verifySystemStream(database: Database, request: VerifyRequest): Promise<void> {
  const { origin, json, settings } = request;
  const against =
    request.against !== undefined && 'head' in request.against ? request.against.head : undefined;
  const exported = request.against !== undefined && 'heads' in request.against ? request.against : undefined;
  const bar = progressBar(process.stderr, 'verifying');
  const progress = (done: number, total: number) => bar.show(done, total);
  try {
    const chain = await verifyChain(database, { against, origin, progress });
    const heads = chain.ok ? await compareSignedHeads(database, { settings, origin, exported }) : [];
    const events = request.events && chain.ok ? await verifyEvents(database, progress) : undefined;
    bar.clear();
    const denied = firstDenied(chain, heads);
    const ok = chain.ok && denied === undefined && (chain.missing ?? 0) === 0 && events?.ok !== false;
    const more = { ...(denied ?? {}), heads, ...(events && { events }) };
    if (json) printToStdout(`${JSON.stringify({ ...chain, ok, ...more })}\n`);
    else report({ chain, heads, events, isReceived: origin !== undefined }, against);
    if (!ok) process.exitCode = 1;
  } finally {
    bar.clear();
  }
}

interface Verified {
  readonly chain: ChainReport;
  readonly heads: readonly ComparedHeads[];
  readonly events: EventsReport | undefined;
  readonly isReceived: boolean;
}

function report({ chain, heads, events, isReceived }: Verified, against: ChainHead | undefined): void {
  const denied = deniedIn(heads);
  if (!chain.ok) throw new Problem('unexpected', { detail: brokenText(chain, against) });
  if (denied !== undefined) throw new Problem('unexpected', { detail: deniedText(denied) });
  if ((chain.missing ?? 0) > 0) throw new Problem('unexpected', { detail: holdsText(chain) });
  printToStdout(`${holdsText(chain)}\n`);
  for (const line of headsLines(heads, { isReceived, isCompared: against !== undefined }))
    printToStdout(`${line}\n`);
  if (events === undefined) return;
  for (const fault of events.faults) printToStdout(`${faultText(fault)}\n`);
  if (!events.ok) throw new Problem('unexpected', { detail: eventsText(events) });
  printToStdout(`${eventsText(events)}\n`);
}

const holdsText = ({ records, head, archivedTo, missing = 0 }: ChainReport): string =>
  [
    `The chain is intact: ${records} records, head ${head.position} ${head.hash}.`,
    missing === 0 ? '' : ` ${missing} records were not received.`,
    archivedTo === undefined
      ? ''
      : ` Records up to ${archivedTo} are archived and were not read: svc segments verify --archives reads them.`,
  ].join('');

function brokenText({ records, firstBroken = 0 }: ChainReport, against: ChainHead | undefined): string {
  const before = `The chain is broken at position ${firstBroken}; the ${records} records before it are intact.`;
  const isOlder = against !== undefined && against.position >= firstBroken;
  return isOlder ? `${before} The head to compare with was at ${against.position}.` : before;
}

/** An event that differs from its audit. */
function faultText(fault: EventFault): string {
  const { what, eventType, eventId, streamId, streamPosition, auditedAt, differs } = fault;
  const location = `${onOneLine(streamId)}@${streamPosition}`;
  const why = differs === undefined ? '' : ` differs in ${onOneLine(differs)},`;
  return `${what}  ${onOneLine(eventType)} ${onOneLine(eventId)} at ${location}:${why} audited at ${auditedAt}`;
}

function eventsText(events: EventsReport): string {
  const { ok, compared, received, altered, deleted, gaps, redacted, unaudited, unauditedReceived } = events;
  const { archived = 0 } = events;
  const all =
    received === 0 ? `${compared} compared` : `${compared} of this store and ${received} received compared`;
  const without = Object.entries(unaudited);
  const parts = [
    ok
      ? `All events match their audits: ${all}.`
      : `Events differ from their audits: of ${all}, ${altered} were altered and ${deleted} deleted.`,
    gaps === 0 ? '' : `${gaps} positions of the log are empty.`,
    redacted === 0 ? '' : `${redacted} redacted values were not compared.`,
    without.length === 0
      ? ''
      : `Without an audit: ${without.map(([type, count]) => `${count} ${onOneLine(type)}`).join(', ')}.`,
    archived === 0 ? '' : `${archived} events are archived and were not compared.`,
    unauditedReceived === 0 ? '' : `Received without an audit: ${unauditedReceived}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
