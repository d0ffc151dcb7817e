import { readFile } from 'node:fs/promises';
import { Problem } from '../../contracts/problems.js';
import { isLong } from '../../contracts/scalars.js';
import type { ChainHead } from '../../runtime/audit/chain.js';
import { type ChainReport, verifyChain } from '../../runtime/audit/verify-chain.js';
import { type EventFault, type EventsReport, verifyEvents } from '../../runtime/audit/verify-events.js';
import type { Database } from '../../runtime/database/database.js';
import { onOneLine } from '../audit/format-record.js';
import { printToStdout } from '../print.js';
import { progressBar } from '../progress-bar.js';

interface VerifyRequest {
  readonly against: ChainHead | undefined;
  /** Verifies the received records of this store. */
  readonly origin: string | undefined;
  /** Whether domain events are compared with their audits. */
  readonly events: boolean;
  readonly json: boolean;
}

/** Verifies the chain and that no record is missing; exits with 1 otherwise. */
export async function verifySystemStream(database: Database, request: VerifyRequest): Promise<void> {
  const { against, origin, json } = request;
  const bar = progressBar(process.stderr, 'verifying');
  const progress = (done: number, total: number) => bar.show(done, total);
  try {
    const chain = await verifyChain(database, { against, origin, progress });
    const events = request.events && chain.ok ? await verifyEvents(database, progress) : undefined;
    bar.clear();
    const ok = chain.ok && (chain.missing ?? 0) === 0 && events?.ok !== false;
    if (json)
      printToStdout(`${JSON.stringify({ ...chain, ok, ...(events && { events }) })}
`);
    else report(chain, events, against);
    if (!ok) process.exitCode = 1;
  } finally {
    bar.clear();
  }
}

function report(chain: ChainReport, events: EventsReport | undefined, against: ChainHead | undefined): void {
  if (!chain.ok) throw new Problem('unexpected', { detail: brokenText(chain, against) });
  if ((chain.missing ?? 0) > 0) throw new Problem('unexpected', { detail: holdsText(chain) });
  printToStdout(`${holdsText(chain)}\n`);
  if (events === undefined) return;
  for (const fault of events.faults) printToStdout(`${faultText(fault)}\n`);
  if (!events.ok) throw new Problem('unexpected', { detail: eventsText(events) });
  printToStdout(`${eventsText(events)}\n`);
}

/** Reads the head from a report of `svc audit verify --json`, or a head alone. */
export async function readHead(file: string): Promise<ChainHead> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Problem('usage', { detail: `${file} cannot be read.`, cause });
  });
  const head = headIn(text);
  if (head !== undefined) return head;
  throw new Problem('usage', {
    detail: `${file} contains no head; create it with svc audit verify --json > ${file}.`,
  });
}

function headIn(text: string): ChainHead | undefined {
  try {
    const head = JSON.parse(text) as { readonly head?: unknown };
    const { position, hash } = (head.head ?? head) as Partial<ChainHead>;
    if (!isLong(position) || position < 0 || typeof hash !== 'string') return undefined;
    return /^[0-9a-f]+$/i.test(hash) ? { position, hash: hash.toLowerCase() } : undefined;
  } catch {
    return undefined;
  }
}

const holdsText = ({ records, head, missing = 0 }: ChainReport): string =>
  `The chain is intact: ${records} records, head ${head.position} ${head.hash}.${missing === 0 ? '' : ` ${missing} records were not received.`}`;

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
    unauditedReceived === 0 ? '' : `Received without an audit: ${unauditedReceived}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
