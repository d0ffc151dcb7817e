import { setTimeout as delay } from 'node:timers/promises';
import { inStore } from '../harness/cluster-queries.js';
import { terminateBackends } from '../harness/terminate-backends.js';
import { type FaultCounts, type LedgerFault, ledgerFaults } from '../ledgers/ledger-faults.js';
import { type Expectation, holdsWithin } from '../scenarios/scenario.js';
import type { CountedCalls } from './effect-check.js';
import { claimedBy, countOutcomes, isSettled, releaseLost } from './effect-load.js';
import type { EffectScenario } from './effect-scenario.js';
import { type EffectScene, hostNames, type HostSettings, untilCalling } from './effect-scene.js';

interface KilledHosts {
  readonly requests: number;
  readonly faults: FaultCounts;
}

interface Scene extends EffectScene {
  inFlightAtFaults: number;
}

const failpoints = ['effect-claimed', 'effect-called', 'effect-after-commit'];
const leases = { leaseMs: 2_000, renewMs: 600 };
const settings: HostSettings = { ...leases, claims: { claimMs: 5_000, beatMs: 1_200 } };
/** Never prolonged: every slow call is overtaken. */
const shortClaims: HostSettings = { ...leases, claims: { claimMs: 1_000, beatMs: 3_600_000 } };
/** Longer than a claim. */
const frozenMs = 6_000;
const withinMs = 300_000;
const underWay = 3;
/** How many are asked for when nothing is left to kill a host under. */
const more = 288;

/** Three hosts that are killed and frozen with calls on their way, and then overtake each other. */
export const killedHosts = ({ requests, faults }: KilledHosts): EffectScenario => ({
  settings,
  play: async (opened, { seed, printProgress }) => {
    const scene: Scene = { ...opened, inFlightAtFaults: 0 };
    const byKind = await loadWithFaults(
      ledgerFaults(seed, faults, failpoints, hostNames.length),
      requests,
      scene,
      printProgress,
    );
    const settled = await settles(scene);
    const counted = await callsUntilNow(scene);
    await scene.stop();
    scene.start(shortClaims);
    await scene.load.ask(Math.ceil(requests / 10));
    const settledAgain = await settles(scene);
    return {
      faults: Object.values(byKind).reduce((sum, count) => sum + count, 0),
      counted,
      figures: { ...byKind, calls: counted.calls, inFlightAtFaults: counted.inFlightAtFaults },
      promises: [
        settled,
        settledAgain,
        {
          promise: 'every fault happens under calls',
          kept: Object.keys(byKind).every((kind) => !kind.endsWith(')')),
        },
      ],
    };
  },
});

async function callsUntilNow({ database, provider, inFlightAtFaults }: Scene): Promise<CountedCalls> {
  const { calls, refused } = await provider();
  return { calls, refused, inFlightAtFaults, outcomes: await countOutcomes(database) };
}

/** Until nothing waits; what five hosts have died under is released, as an operator does. */
const settles = ({ database }: Scene): Promise<Expectation> =>
  holdsWithin('everything is settled', withinMs, async () => {
    await releaseLost(database);
    return isSettled(database);
  });

/** Each fault happens while calls of its part of the load are on their way. */
async function loadWithFaults(
  faults: readonly LedgerFault[],
  requests: number,
  scene: Scene,
  printProgress: (line: string) => void,
): Promise<Record<string, number>> {
  const part = Math.ceil(requests / (faults.length + 1));
  const byKind: Record<string, number> = {};
  for (const [index, fault] of faults.entries()) {
    await scene.load.ask(part);
    const what = await inject(fault, scene);
    byKind[what] = (byKind[what] ?? 0) + 1;
    printProgress(`${index + 1}: ${what} after ${scene.load.asked} were asked for`);
  }
  await scene.load.ask(part);
  return byKind;
}

/** Performs the fault, counts what was claimed by whom it has hit, and describes what happened. */
async function inject(fault: LedgerFault, scene: Scene): Promise<string> {
  const { postgres, hosts, load } = scene;
  const name = hostNames['host' in fault ? fault.host : 0] ?? '';
  const host = hosts.get(name);
  const count = async (of: string | null): Promise<void> => {
    scene.inFlightAtFaults += await inStore(postgres.url, (database) => claimedBy(database, of));
  };
  if (fault.kind === 'failpoint') {
    const waits = new AbortController();
    const killed = host?.killAt(`${fault.name}@${fault.pass}`, delay(withinMs, undefined, { ref: false }));
    const reached = killed?.finally(() => waits.abort());
    // Killing it to arm it is a death, too.
    await count(name);
    while (!waits.signal.aborted) {
      if (await inStore(postgres.url, isSettled)) await load.ask(more);
      await delay(500);
    }
    await count(name);
    return (await reached) === true ? fault.name : `${fault.name} (not reached)`;
  }
  const { kept } = await untilCalling(scene, name, { least: underWay, more, withinMs });
  if (fault.kind === 'kill') await host?.kill();
  const thawed = fault.kind === 'freeze' ? host?.freezeFor(frozenMs) : undefined;
  await count('host' in fault ? name : null);
  if (fault.kind === 'terminate') await terminateBackends(postgres.url, hostNames);
  if (fault.kind === 'stop-postgres') await postgres.crash();
  await thawed;
  return kept ? fault.kind : `${fault.kind} (idle)`;
}
