import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { inSimulatedTime } from './simulated-globals.js';
import { SimulatedLink } from './simulated-link.js';
import { type SimulatedHost, SimulatedTime } from './simulated-time.js';

const test = suite('simulated time');

const hostNamed = (name: string): SimulatedHost => ({ name, isAlive: true, frozenUntil: 0 });

/** Runs the body in a simulated time, and lets a minute pass. */
async function within(body: (time: SimulatedTime, note: (what: string) => void) => void): Promise<string[]> {
  const time = new SimulatedTime(1);
  const noted: string[] = [];
  const from = time.now;
  await inSimulatedTime(time, async () => {
    body(time, (what) => void noted.push(`${what} at ${Math.round(time.now - from)}`));
    await time.until(() => false, 60_000);
  });
  return noted;
}

test('what is due first happens first, at its time, and what was cancelled does not happen', async () => {
  const noted = await within((_, note) => {
    setTimeout(() => note('last'), 3_000);
    setTimeout(() => note('first'), 1_000);
    clearTimeout(setTimeout(() => note('never'), 2_000));
    const ticking = setInterval(() => {
      note('tick');
      if (performance.now() > 3_000) clearInterval(ticking);
    }, 1_500);
    void pause(500).then(() => note('promise'));
  });
  assert.equal(noted, [
    ...['promise at 500', 'first at 1000', 'tick at 1500', 'last at 3000', 'tick at 3000'],
  ]);
});

test('a frozen host is late for everything, and a dead one does nothing any more', async () => {
  const noted = await within((time, note) => {
    const [frozen, dead] = [hostNamed('frozen'), hostNamed('dead')];
    time.on(frozen, 0, () => setTimeout(() => note('frozen'), 1_000));
    time.on(dead, 0, () => setTimeout(() => setTimeout(() => note('dead'), 1_000), 1_000));
    time.on(undefined, 500, () => (frozen.frozenUntil = time.now + 4_500));
    time.on(undefined, 1_500, () => (dead.isAlive = false));
  });
  assert.equal(noted, ['frozen at 5000']);
});

test('a pause ends with its signal', async () => {
  const noted = await within((_, note) => {
    const stop = new AbortController();
    pause(5_000, undefined, { signal: stop.signal }).catch((error: unknown) => note((error as Error).name));
    setTimeout(() => stop.abort(), 700);
    AbortSignal.timeout(900).addEventListener('abort', () => note('too late'));
  });
  assert.equal(noted, ['AbortError at 700', 'too late at 900']);
});

for (const [fault, happens, code] of [
  ['refused', 0, 'store-unavailable'],
  ['lost', 1, 'outcome-unknown'],
  ['late', 1, 'outcome-unknown'],
] as const)
  test(`a call that is ${fault} has its effect ${happens} times, and its caller learns ${code}`, async () => {
    let effects = 0;
    const weather = { refused: 0, lost: 0, late: 0, slow: 0, [fault]: 1 };
    const noted = await within((time, note) => {
      const link = new SimulatedLink(time, weather);
      link
        .write(() => void effects++)
        .catch((error: unknown) => note(error instanceof Problem ? error.code : String(error)));
    });
    assert.is(effects, happens);
    assert.equal(
      noted.map((line) => line.split(' ')[0]),
      [code],
    );
  });

test('a call that is withdrawn before it happens has no effect', async () => {
  let effects = 0;
  const noted = await within((time, note) => {
    const link = new SimulatedLink(time, { refused: 0, lost: 0, late: 0, slow: 1 });
    const client = new AbortController();
    link.write(() => void effects++, client.signal).catch((error: unknown) => note((error as Problem).code));
    setTimeout(() => client.abort(new Problem('client-gone')), 1);
  });
  assert.equal([effects, noted], [0, ['client-gone at 1']]);
});
