import { type Expectation, holdsWithin } from '../scenarios/scenario.js';
import { Charge, Upload } from './effect-commands.js';
import { tenants } from './effect-load.js';
import type { EffectScenario } from './effect-scenario.js';
import type { EffectScene, HostSettings } from './effect-scene.js';

interface Caps {
  readonly requests: number;
  readonly kills: number;
  /** So soon another host calls after the one that called was killed. */
  readonly takenOverMs: number;
  readonly settings: HostSettings;
}

const concurrency = 5;
const rate = 50;
/** Of a rate, a part may come at once. */
const mostInSecond = 55;

/** Three hosts, of which those that call are killed, exceed neither a concurrency nor a rate. */
export const caps = ({ requests, kills, takenOverMs, settings }: Caps): EffectScenario => ({
  leavesSome: true,
  // The concurrency is reached with few calls, the rate with short ones.
  afterMs: { charge: 200, upload: 10 },
  settings: {
    ...settings,
    effects: { charge: { concurrency }, upload: { rate: { calls: rate, per: 'PT1S' }, perLane: 64 } },
  },
  play: async (scene, { printProgress }) => {
    const { load, provider } = scene;
    await load.askFor(Charge, tenants, requests);
    await load.askFor(Upload, tenants, 2 * requests);
    const continued: Expectation[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const effect = kill % 2 === 0 ? 'charge' : 'upload';
      await untilCalled(scene, effect, 60_000);
      await scene.hosts.get((await provider()).effects[effect]?.host ?? '')?.kill();
      continued.push(await untilCalled(scene, effect, takenOverMs));
      printProgress(`${kill + 1}: killed the host that called for ${effect}`);
    }
    const { effects } = await provider();
    const [atOnce, inSecond] = [effects['charge']?.mostAtOnce ?? 0, effects['upload']?.mostInSecond ?? 0];
    return {
      faults: kills,
      figures: {
        mostAtOnce: atOnce,
        mostInSecond: inSecond,
        takenOverMs: Math.max(...continued.map(({ ms = 0 }) => ms)),
      },
      promises: [
        ...continued,
        { promise: `${concurrency} calls at once, and never more`, kept: atOnce === concurrency },
        { promise: `at most ${mostInSecond} calls in a second`, kept: inSecond <= mostInSecond },
      ],
    };
  },
});

/** Until the other system was called for an effect several times more. */
async function untilCalled({ provider }: EffectScene, effect: string, withinMs: number) {
  const calls = async (): Promise<number> => (await provider()).effects[effect]?.calls ?? 0;
  const before = await calls();
  return holdsWithin(
    `calls for ${effect} continue`,
    withinMs,
    async () => (await calls()) > before + concurrency,
  );
}
