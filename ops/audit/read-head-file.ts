import { readFile } from 'node:fs/promises';
import { Problem } from '../../contracts/problems.js';
import { isLong } from '../../contracts/scalars.js';
import type { ChainHead } from '../../runtime/audit/chain.js';
import { readSignedHead, type SignedHead } from '../../runtime/trust/signed-head.js';

/** What a log is compared with: one head of a report, or exported signed heads. */
export type HeadFile =
  | { readonly head: ChainHead }
  | { readonly file: string; readonly heads: readonly SignedHead[] };

/** Reads a report of `svc audit verify --json`, a head alone, or the output of `svc audit export --heads`. */
export async function readHeadFile(file: string): Promise<HeadFile> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Problem('usage', { detail: `${file} cannot be read.`, cause });
  });
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (readSignedHead(valueIn(lines[0])) !== undefined)
    return { file, heads: lines.map((line, index) => signedHeadIn(line, file, index + 1)) };
  const head = headIn(valueIn(text));
  if (head !== undefined) return { head };
  throw new Problem('usage', {
    detail: `${file} contains no head; create it with svc audit verify --json > ${file}, or at a monitor with svc audit export --heads > ${file}.`,
  });
}

function signedHeadIn(line: string, file: string, number: number): SignedHead {
  const head = readSignedHead(valueIn(line));
  if (head !== undefined) return head;
  throw new Problem('usage', {
    detail: `Line ${number} of ${file} is not a signed head; create the file again with svc audit export --heads.`,
  });
}

function headIn(value: unknown): ChainHead | undefined {
  const report = (value ?? {}) as { readonly head?: unknown };
  const { position, hash } = (report.head ?? report) as Partial<ChainHead>;
  if (!isLong(position) || position < 0 || typeof hash !== 'string') return undefined;
  return /^[0-9a-f]+$/i.test(hash) ? { position, hash: hash.toLowerCase() } : undefined;
}

function valueIn(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
