import { newUuid } from '../../contracts/uuid.js';
import { connect } from '../../runtime/database/connect.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';

interface Ledger {
  readonly env: { readonly DATABASE_URL: string };
  record(type: string, data?: object): Promise<void>;
  tamper(sql: string): Promise<void>;
}

export const withLedger = (body: (ledger: Ledger) => Promise<void>) =>
  withMigratedDatabase(async ({ url, openStore }) => {
    const store = openStore();
    const record = (messageType: string, payload: object = {}) =>
      store.commit({
        events: [],
        records: [
          { envelope: { messageId: newUuid(), messageType, payload, timestamp: '', v: 1 }, publish: false },
        ],
        expected: new Map(),
      });
    const tamper = async (sql: string) => {
      const owner = await connect(url);
      await owner.query('SET session_replication_role = replica');
      await owner.query(sql);
      await owner.end();
    };
    await body({ env: { DATABASE_URL: url }, record, tamper });
  });

export const linesOf = (text: string): string[] => text.split('\n').slice(0, -1);
export const recordsIn = (text: string) =>
  linesOf(text).map((line) => JSON.parse(line) as { position: number; eventType: string; data: object });
