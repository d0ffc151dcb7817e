import { createOrder } from '../../testing/order-load.js';
import { connect } from '../../../runtime/database/connect.js';
import { startCrashablePostgres } from '../harness/crashable-postgres.js';
import { holdsWithin, type Scenario } from './scenario.js';
import { isReady, startReadyHost, statusOf } from './scenario-host.js';
import { withLoad } from './scenario-load.js';

/**
 * The server is read-only for a while: readiness reports it, commands are refused, and afterwards all is served again.
 */
export const readOnly: Scenario = async ({ seed, printProgress }, checkOutcome) => {
  const postgres = await startCrashablePostgres();
  try {
    const north = await startReadyHost('north', { DATABASE_URL: postgres.url });
    await withLoad([north], seed, 4, async ([clients]) => {
      if (clients === undefined) return;
      await clients.waitForMore(50);
      printProgress('the database becomes read-only');
      await setReadOnly(postgres.url, true);
      const promises = [
        await holdsWithin('readiness fails', 15_000, async () => !(await isReady(north.url))),
        await holdsWithin('a command is refused with 503', 15_000, async () => {
          return (await createOrder(north.url, `read-only-${seed}`)).status === 503;
        }),
        { promise: 'the host stays alive', kept: (await statusOf(north.url, '/health/live')) === 200 },
      ];
      await setReadOnly(postgres.url, false);
      promises.push(
        await holdsWithin('readiness recovers', 20_000, () => isReady(north.url)),
        await holdsWithin('commands are served again', 20_000, () =>
          clients.waitForMore(30).then(() => true),
        ),
      );
      await clients.stop();
      await checkOutcome({ promises, stores: [{ url: postgres.url, clients: [clients] }] });
    });
  } finally {
    await postgres.stop();
  }
};

async function setReadOnly(url: string, isReadOnly: boolean): Promise<void> {
  const client = await connect(url);
  // ALTER SYSTEM writes, so this session must be writable.
  await client.query('SET default_transaction_read_only = off');
  await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}
