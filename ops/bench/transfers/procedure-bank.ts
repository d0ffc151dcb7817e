import type { Uuid } from '../../../contracts/scalars.js';
import { newUuid } from '../../../contracts/uuid.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { type Bank, opening } from './bank.js';

export const procedure = 'stored procedure';

const setUp = [
  'CREATE TABLE bench_accounts (id uuid PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0))',
  `CREATE TABLE bench_transfers (
    id uuid PRIMARY KEY,
    payer uuid NOT NULL,
    payee uuid NOT NULL,
    amount bigint NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  // Both rows are locked in the order of their ids: no two transfers wait for each other.
  `CREATE PROCEDURE bench_transfer(transfer uuid, payer uuid, payee uuid, amount bigint) LANGUAGE plpgsql AS $$
  DECLARE
    lower_id uuid := least(payer, payee);
    higher_id uuid := greatest(payer, payee);
  BEGIN
    UPDATE bench_accounts SET balance = balance + CASE id WHEN payee THEN amount ELSE -amount END WHERE id = lower_id;
    UPDATE bench_accounts SET balance = balance + CASE id WHEN payee THEN amount ELSE -amount END WHERE id = higher_id;
    INSERT INTO bench_transfers VALUES (transfer, payer, payee, amount);
  END $$`,
];

/** A table of accounts and an audit row for each transfer, as one transaction on one of 16 connections. */
export async function openProcedureBank(url: string, accounts: readonly Uuid[]): Promise<Bank> {
  const database = openDatabase({ url, connections: 16 });
  for (const text of setUp) await database.rows({ text });
  const open = 'INSERT INTO bench_accounts SELECT id, $2 FROM unnest($1::uuid[]) id';
  await database.rows({ text: open, values: [accounts, opening] });
  let tries = 0;
  const transfer = (payer: Uuid, payee: Uuid): Promise<unknown> => {
    tries++;
    const values = [newUuid(), payer, payee, 1];
    return database.rows({ name: 'bench_transfer', text: 'CALL bench_transfer($1, $2, $3, $4)', values });
  };
  return {
    ways: [{ name: procedure, transfer, tries: () => tries }],
    total: async () => {
      const [row] = await database.rows({ text: 'SELECT sum(balance) FROM bench_accounts' });
      return Number(row?.[0]);
    },
    close: () => database.close(),
  };
}
