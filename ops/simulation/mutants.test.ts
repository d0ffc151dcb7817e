import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type EngineName, engineNames, type simulateSeed } from './simulate-seed.js';
import { importChanged, type SourceChange } from '../build/changed-module.js';

const test = suite('mistakes planted in what is simulated');

/** A mistake that is planted in the code: runs of its engine find it. */
interface Mutant extends SourceChange {
  readonly engine: EngineName;
  readonly mistake: string;
  /** How many have to find it at the latest. */
  readonly seeds?: number;
}

const mostSeeds = 100;

const mutants: readonly Mutant[] = [
  {
    engine: 'reactions',
    mistake: 'a key that leaves the line forgets what waits behind it',
    file: 'runtime/reactions/line.ts',
    changes: [['      aside.push(position);\n', '']],
  },
  {
    engine: 'reactions',
    mistake: 'a host that was overtaken may write',
    file: 'runtime/kit/in-memory-lists.ts',
    changes: [['return kept?.epoch === epoch ? kept : undefined;', 'return kept;']],
  },
  {
    engine: 'reactions',
    mistake: 'a follower does not notice that the log has grown',
    file: 'actors/reactions/cursor-run.ts',
    changes: [['    this.#hasGrown = true;\n    this.#alarm.ring();', '    this.#alarm.ring();']],
  },
  {
    engine: 'keyLines',
    mistake: 'commands are answered although their commit failed',
    file: 'actors/commands/key-line.ts',
    changes: [['if (error === undefined) for', 'if (members.length > 0) for']],
  },
  {
    engine: 'keyLines',
    mistake: 'a refusal does not wait for what it was decided on',
    file: 'actors/commands/keyed-commit.ts',
    changes: [['  await committed;\n', '  committed.catch(() => undefined);\n']],
  },
  {
    engine: 'dueWork',
    mistake: 'a timer fires although it is gone',
    file: 'runtime/kit/in-memory-lists.ts',
    changes: [
      [
        'return firedAt !== null && this.#timers.get(id)?.dueAt !== firedAt;',
        'return false && firedAt === id;',
      ],
    ],
  },
  {
    engine: 'dueWork',
    mistake: 'a timer that could not fire counts as firing',
    file: 'actors/due/timer-runner.ts',
    changes: [['if (this.#firing.get(timer.id) === timer.dueAt) this.#firing.delete(timer.id);', '']],
  },
  {
    engine: 'dueWork',
    mistake: 'calls that are under way leave their room to others',
    file: 'actors/due/lanes.ts',
    changes: [['concurrency - this.count(name) - elsewhere', 'concurrency - elsewhere']],
  },
  {
    engine: 'relay',
    mistake: 'the cursor passes what is not published',
    file: 'runtime/outbox/window.ts',
    changes: [['return position - 1;', 'return Math.max(position, this.#readTo);']],
  },
  {
    engine: 'relay',
    mistake: 'messages overtake one of their stream that is to be sent again',
    file: 'runtime/outbox/stream-queue.ts',
    changes: [['if (this.#retries === 0) return', 'if (this.#next < this.#entries.length) return']],
  },
  {
    engine: 'relay',
    mistake: 'a lease is asked for while it is on its way back',
    file: 'runtime/leases/host-leases.ts',
    changes: [
      ['for (const name of unwanted) this.#leaving.add(name);', ''],
      ['if (this.#names.some((name) => unwanted.includes(name))) this.ask();', ''],
    ],
    seeds: 400,
  },
  {
    engine: 'admission',
    mistake: 'a tenant keeps its turn as long as it has commands',
    file: 'actors/commands/waiting-commands.ts',
    changes: [['|| --line.turnsLeft > 0) return;', '|| line.turnsLeft > 0) return;']],
  },
  {
    engine: 'admission',
    mistake: 'requests that wait are not called in the next turn',
    file: 'endpoints/http/admission.ts',
    changes: [['if (this.#left === 0) this.#callNext(mayServe ? this.size - 1 : this.size);', '']],
  },
  {
    engine: 'deployments',
    mistake: 'the row of a deployment that went back stays open',
    file: 'ops/deploy/engine.ts',
    changes: [["  await journal.finish('reverted');\n  return", '  return']],
  },
  {
    engine: 'deployments',
    mistake: 'hosts count as ready as soon as they are asked for',
    file: 'ops/deploy/perform-step.ts',
    changes: [['({ ready }) => ready >= step.replicas', '() => true']],
  },
];

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs seeds of the engine with the mistake planted, until one finds it; undefined: none did. */
async function seedThatFinds(mutant: Mutant): Promise<number | undefined> {
  const changed = (await importChanged(root, 'ops/simulation/simulate-seed.ts', mutant)) as {
    readonly simulateSeed: typeof simulateSeed;
  };
  const { seeds = mostSeeds } = mutant;
  for (let seed = 1; seed <= seeds; seed++)
    if ((await changed.simulateSeed(mutant.engine, seed)).found.length > 0) return seed;
  return undefined;
}

for (const mutant of mutants)
  test(`${mutant.engine}: that ${mutant.mistake} is found`, async () => {
    assert.ok((await seedThatFinds(mutant)) !== undefined);
  });

test('at least two are planted in each engine', () => {
  for (const engine of engineNames)
    assert.ok(mutants.filter((mutant) => mutant.engine === engine).length >= 2, engine);
});
