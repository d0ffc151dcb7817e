import { Worker } from 'node:worker_threads';
import { mustBeInstalled } from '../../lang/optional-package.js';
import { withTimeout } from '../../lang/with-timeout.js';
import type { ParsedFile } from './parse-file.js';

const maxMs = 60_000;

let thread: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Parses files one after the other in a thread: a hostile file can make PostgreSQL's parser run for a long time, and
 * nothing but the end of its thread stops it.
 */
export async function parseFiles(files: readonly string[], atMostMs = maxMs): Promise<ParsedFile[]> {
  mustBeInstalled('libpg-query', 'svc check migrations', 'development');
  const results: ParsedFile[] = [];
  for (const sql of files) {
    const parsed = last.then(() => parseInThread(sql, atMostMs));
    last = parsed;
    results.push(await parsed);
  }
  return results;
}

async function parseInThread(sql: string, atMostMs: number): Promise<ParsedFile> {
  const used = (thread ??= new Worker(new URL('parser-thread.js', import.meta.url)));
  // Only a file that is being parsed keeps the process from ending.
  used.ref();
  try {
    const parsed = await withTimeout(atMostMs, answerOf(used, sql));
    // An overflow leaves the parser with less stack.
    if (parsed.faults.some(({ kind }) => kind === 'unread')) await end(used);
    return parsed;
  } catch {
    await end(used);
    return unread(atMostMs);
  } finally {
    used.unref();
  }
}

async function end(used: Worker): Promise<void> {
  thread = undefined;
  await used.terminate();
}

const unread = (atMostMs: number): ParsedFile => ({
  statements: [],
  faults: [{ line: 1, kind: 'unread', message: `the parser did not finish within ${atMostMs / 1000} s` }],
});

function answerOf(used: Worker, sql: string): Promise<ParsedFile> {
  return new Promise((resolve, reject) => {
    used.removeAllListeners('message').removeAllListeners('error');
    used.once('message', (text: string) => resolve(JSON.parse(text) as ParsedFile));
    used.once('error', reject);
    used.postMessage(sql);
  });
}
