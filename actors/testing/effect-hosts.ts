import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { effectRow } from '../../runtime/effects/effect-row.js';
import { knownEffect } from '../../runtime/effects/known-effect.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { sets } from '../../runtime/testing/unit-lists/units.js';
import { deadlyStatus, PrintLabel } from './label-printing.js';

interface EffectHosts {
  readonly owner: Database;
  readonly store: PostgresStore;
  /** How often the printer printed, by the id of the request. */
  readonly printed: ReadonlyMap<Uuid, number>;
  /** A request whose answer ends the host that gets it. */
  deadly: Uuid | undefined;
  /** A host in its own process. */
  start(failpoints?: string): ChildProcess;
}

const program = fileURLToPath(builtForProcess(new URL('./effect-process.js', import.meta.url)));

export const withEffectHosts = (body: (hosts: EffectHosts) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async ({ url, connect, openStore }) => {
    const printed = new Map<Uuid, number>();
    const children: ChildProcess[] = [];
    const ends: Promise<unknown>[] = [];
    const server = createServer((request, response) => {
      const id = (request.url ?? '').slice(1);
      printed.set(id, (printed.get(id) ?? 0) + 1);
      if (id !== hosts.deadly) response.writeHead(200).end();
      else setTimeout(() => response.writeHead(deadlyStatus).end(), deadlyAfterMs);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const printer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const start: EffectHosts['start'] = (failpoints = '') => {
      const env = { ...process.env, SVC_FAILPOINTS: failpoints, SVC_LOG: 'fatal' };
      const child = spawn(process.execPath, [program, url, printer], { env, stdio: 'inherit' });
      children.push(child);
      ends.push(once(child, 'close'));
      return child;
    };
    const hosts: EffectHosts = {
      ...{ owner: connect({ owner: true }), store: openStore(), printed, start, deadly: undefined },
    };
    try {
      await body(hosts);
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
      server.closeAllConnections();
      server.close();
    }
  });

/** What else the host does has ended by then. */
const deadlyAfterMs = 300;

/** Asks for labels, each of its own order. */
export async function askForLabels(store: PostgresStore, count: number): Promise<void> {
  const { stream, call } = { stream: ({ orderId }: PrintLabel) => orderId, call: () => Promise.resolve() };
  const known = knownEffect({ command: PrintLabel, effect: { name: 'printer', stream, call } });
  const cause = { causationId: newUuid(), correlationId: newUuid() };
  const rows = Array.from({ length: count }, () =>
    effectRow(known, PrintLabel.of({ orderId: newUuid() }), {}, cause),
  );
  await Promise.all(rows.map((row) => store.commit(sets(row))));
}

const count = async (owner: Database, from: string): Promise<number> =>
  Number((await owner.rows({ text: `SELECT count(*) FROM ${from}` }))[0]?.[0]);

export const waitingLabels = ({ owner }: Pick<EffectHosts, 'owner'>): Promise<number> =>
  count(owner, 'svc_timers');

/** Lost, doubled, unaudited, and stored without a call. */
export async function labelFaults({ owner, printed }: EffectHosts, expected: number) {
  const stored = await count(owner, "svc_events WHERE event_type = 'LabelPrinted'");
  const distinct = await count(
    owner,
    "(SELECT DISTINCT stream_id FROM svc_events WHERE event_type = 'LabelPrinted') d",
  );
  const audited = await count(
    owner,
    "svc_system_events WHERE event_type = 'CommandAudited' AND data ->> 'commandType' = 'PrintLabel'",
  );
  return {
    lost: expected - distinct,
    doubled: stored - distinct,
    unaudited: stored - audited,
    uncalled: expected - printed.size,
  };
}

export const noLabelFaults = { lost: 0, doubled: 0, unaudited: 0, uncalled: 0 };
