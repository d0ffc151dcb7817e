import { Problem } from '../../../contracts/problems.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { newUuid } from '../../../contracts/uuid.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { type Bank, type Way, opening } from './bank.js';
import { bothKeys, oneKey, openOurBank } from './our-bank.js';
import { openProcedureBank, procedure } from './procedure-bank.js';
import { zipf } from './zipf.js';

const callers = 64;
const exponents = [0, 1.5];
const defaultSeconds = 3;

/** Money moves between two of 100,000 accounts, each a stream of its own, in one command. */
export const transfers = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(2, async ([ours = '', plain = '']) => {
    const accounts = Array.from({ length: Math.max(2, scaled(100_000, run)) }, () => newUuid());
    run.printProgress(`transfers: opening ${accounts.length} accounts`);
    const banks: Bank[] = [];
    try {
      banks.push(await openOurBank(ours, accounts));
      banks.push(await openProcedureBank(plain, accounts));
      const ways = banks.flatMap((bank) => bank.ways);
      const sections: Section[] = [];
      for (const exponent of exponents) sections.push(await sectionOf(exponent, ways, accounts, run));
      for (const bank of banks) await mustHold(bank, accounts.length * opening);
      return sections;
    } finally {
      for (const bank of banks) await bank.close();
    }
  });

async function sectionOf(
  exponent: number,
  ways: readonly Way[],
  accounts: readonly Uuid[],
  run: SuiteRun,
): Promise<Section> {
  const draw = zipf(accounts.length, exponent);
  const pair = (): readonly [Uuid, Uuid] => {
    const [payer = '', payee = ''] = [accounts[draw()], accounts[draw()]];
    return payer === payee ? pair() : [payer, payee];
  };
  const { rounds, signal, seconds = defaultSeconds } = run;
  run.printProgress(`transfers: Zipf ${exponent}, warming up`);
  for (const way of ways) await measure(way, pair, Math.min(1, seconds));
  run.printProgress(`transfers: Zipf ${exponent}, ${rounds} rounds`);
  const variants = ways.map((way) => ({ name: way.name, measure: () => measure(way, pair, seconds) }));
  return {
    title: `transfers: between 2 of ${accounts.length} accounts by Zipf ${exponent}, ${callers} callers, audited, fsync on`,
    figures: ['transfers/s', 'tries', 'refused', 'p50 ms', 'p99 ms'],
    baseline: procedure,
    rounds: await interleave(variants, rounds, signal),
    targets: [bothKeys, oneKey].map((of) => ({ figure: 'refused', of, atMost: 0, inEveryRound: true })),
    missing: [],
  };
}

/** `tries`: for each transfer that is accepted; `refused`: the share that ended with a conflict; times are of accepted ones. */
async function measure(
  { transfer, tries }: Way,
  pair: () => readonly [Uuid, Uuid],
  seconds: number,
): Promise<Figures> {
  const [triesBefore, began] = [tries(), performance.now()];
  const latencies: number[] = [];
  let refused = 0;
  const caller = async (): Promise<void> => {
    for (;;) {
      const asked = performance.now();
      if (asked >= began + seconds * 1000) return;
      try {
        await transfer(...pair());
        latencies.push(performance.now() - asked);
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'stream-conflict')) throw error;
        refused++;
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const accepted = latencies.length;
  return {
    'transfers/s': (accepted * 1000) / (performance.now() - began),
    tries: (tries() - triesBefore) / accepted,
    refused: refused / (refused + accepted),
    'p50 ms': quantile(latencies, 0.5),
    'p99 ms': quantile(latencies, 0.99),
  };
}

async function mustHold(bank: Bank, expected: number): Promise<void> {
  const found = await bank.total();
  const [way] = bank.ways;
  if (found !== expected)
    throw new Problem('unexpected', {
      detail: `The accounts hold ${found} after the transfers (${way?.name ?? ''}), not ${expected} as before.`,
    });
}
