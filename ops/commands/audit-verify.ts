import { readFile } from 'node:fs/promises';
import { Problem } from '../../contracts/problems.js';
import { isLong } from '../../contracts/scalars.js';
import type { ChainHead } from '../../runtime/audit/chain.js';
import { type ChainReport, verifyChain } from '../../runtime/audit/verify-chain.js';
import type { Database } from '../../runtime/database/database.js';
import { progressBar } from '../progress-bar.js';
import { printOut } from '../print.js';

export interface VerifyRequest {
  readonly against: ChainHead | undefined;
  /** Another store, whose records were received. */
  readonly origin: string | undefined;
  readonly json: boolean;
}

/** Says whether the chain holds; one that does not ends the command with 1. */
export async function verifySystemStream(
  database: Database,
  { against, origin, json }: VerifyRequest,
): Promise<void> {
  const bar = progressBar(process.stderr, 'verifying');
  const report = await verifyChain(database, {
    against,
    origin,
    progress: (done, total) => bar.show(done, total),
  }).finally(() => bar.clear());
  if (json) printOut(`${JSON.stringify(report)}\n`);
  else if (report.ok) printOut(`${holdsText(report)}\n`);
  if (report.ok) return;
  if (json) process.exitCode = 1;
  else throw new Problem('unexpected', { detail: brokenText(report, against) });
}

/** The head in an earlier report of `svc audit verify --json`, or a head by itself. */
export async function readHead(file: string): Promise<ChainHead> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Problem('usage', { detail: `${file} cannot be read.`, cause });
  });
  const head = headIn(text);
  if (head !== undefined) return head;
  throw new Problem('usage', {
    detail: `${file} holds no head; make one with svc audit verify --json > ${file}.`,
  });
}

function headIn(text: string): ChainHead | undefined {
  try {
    const told = JSON.parse(text) as { readonly head?: unknown };
    const { position, hash } = (told.head ?? told) as Partial<ChainHead>;
    if (!isLong(position) || position < 0 || typeof hash !== 'string') return undefined;
    return /^[0-9a-f]+$/i.test(hash) ? { position, hash: hash.toLowerCase() } : undefined;
  } catch {
    return undefined;
  }
}

const holdsText = ({ records, head, missing = 0 }: ChainReport): string =>
  `The chain holds: ${records} records, head ${head.position} ${head.hash}.${missing === 0 ? '' : ` ${missing} records were not received.`}`;

function brokenText({ records, firstBroken = 0 }: ChainReport, against: ChainHead | undefined): string {
  const before = `The chain is broken at position ${firstBroken}; the ${records} records before it hold.`;
  const isOlder = against !== undefined && against.position >= firstBroken;
  return isOlder ? `${before} The head to compare with stood at ${against.position}.` : before;
}
