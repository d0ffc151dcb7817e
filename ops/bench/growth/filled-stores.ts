import { createHash } from 'node:crypto';
import { mkdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { connect } from '../../../runtime/database/connect.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { startEmbeddedServer } from '../../../runtime/database/embedded-server.js';
import { migrate } from '../../../runtime/migrations/migrate.js';
import { createPerspectiveTables } from '../../../runtime/perspectives/tables/create-tables.js';
import { files } from '../../../runtime/schema/generated/files.js';
import { indexRecords } from '../../../runtime/segments/index-records.js';
import { sealSegments } from '../../../runtime/segments/seal-segments.js';
import { execute, withName } from '../../../runtime/kit/database.js';
import { withDatabases } from '../harness/databases.js';
import type { SuiteRun } from '../harness/suite.js';
import { fillSales, sales } from '../reads/sales.js';
import { commandsOf, storeCommands } from './commands.js';

export const salesTable = sales('sales');

/** Of disk, with the write-ahead log and room to vacuum. */
const bytesPerCommand = 4_500;
const otherBytes = 3e9;

/** Provides a store with so many commands and rows of each count; they are kept and used again, unless a server is given. */
export async function withFilledStores<T>(
  counts: readonly number[],
  run: SuiteRun,
  body: (urls: readonly string[]) => Promise<T>,
): Promise<T> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '')
    return withDatabases(counts.length, async (urls) => {
      for (const [index, url] of urls.entries()) await fill(url, counts[index] ?? 0, run);
      return body(urls);
    });
  const dataDir = join(tmpdir(), 'svc-bench', `growth-${schemaHash()}`);
  await mkdir(dataDir, { recursive: true });
  const settings = { max_wal_size: '2GB', checkpoint_timeout: '30min' };
  const server = await startEmbeddedServer({ dataDir, settings });
  try {
    const urls: string[] = [];
    for (const count of counts) urls.push(await keptStore(server.url, count, dataDir, run));
    return await body(urls);
  } finally {
    await server.stop();
  }
}

/** Another schema gets other stores. */
const schemaHash = (): string =>
  createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);

/** Renamed when it is complete, so that an interrupted one is not mistaken for it. */
async function keptStore(server: string, count: number, folder: string, run: SuiteRun): Promise<string> {
  const name = `commands_${count}`;
  const client = await connect(server);
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) {
      await mustHaveRoom(folder, count);
      await client.query('DROP DATABASE IF EXISTS filling WITH (FORCE)');
      await client.query('CREATE DATABASE filling');
      await fill(withName(server, 'filling'), count, run);
      await client.query(`ALTER DATABASE filling RENAME TO ${name}`);
    }
  } finally {
    await client.end();
  }
  return withName(server, name);
}

async function mustHaveRoom(folder: string, count: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [needed, free] = [count * bytesPerCommand + otherBytes, bavail * bsize];
  if (free >= needed) return;
  const inGb = (bytes: number) => `${Math.ceil(bytes / 1e9)} GB`;
  throw new Problem('invalid-setup', {
    detail: `${count} commands need ${inGb(needed)} of disk in ${folder}, and ${inGb(free)} are free: use --records with fewer.`,
  });
}

async function fill(url: string, count: number, run: SuiteRun): Promise<void> {
  run.printProgress(`growth: storing ${count} commands`);
  await migrate({ ownerUrl: url, runtimeUser: new URL(url).username });
  await storeCommands(url, commandsOf(count), run);
  const owner = openDatabase({ url, connections: 1, statementTimeoutMs: 600_000 });
  try {
    run.printProgress(`growth: indexing them, and making ${count} rows`);
    await sealSegments(owner, { host: 'bench' });
    await indexRecords(owner);
    await createPerspectiveTables(owner, [salesTable]);
    await fillSales(owner, salesTable, count);
  } finally {
    await owner.close();
  }
  await execute(url, 'VACUUM ANALYZE');
  await execute(url, 'CHECKPOINT');
}
