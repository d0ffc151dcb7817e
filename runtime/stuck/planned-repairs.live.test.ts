import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { seeds } from '../../contracts/testing/seeds.js';
import { suite } from '../../contracts/testing/suite.js';
import { type StuckScene, withEmptyStore } from '../testing/stuck-scene.js';
import { planOf } from './repair-plan.js';
import { carryOut, findPlan, keepPlan } from './repair-stuck.js';
import { listToPlan } from './stuck-entries.js';

const test = suite('planned repairs');

/** What becomes of a key between the plan and the repair. */
const fates = ['stays', 'moves on', 'is released', 'is gone', 'is new'] as const;

const keyed = fc.record({
  key: fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }).filter((key) => !key.includes('\0')),
  fate: fc.constantFrom(...fates),
});
const keys = fc.uniqueArray(keyed, { selector: ({ key }) => key, maxLength: 30 });

type Key = typeof keys extends fc.Arbitrary<(infer K)[]> ? K : never;

const park = async ({ owner }: StuckScene, some: readonly Key[]): Promise<void> => {
  await owner.rows({
    text: `INSERT INTO svc_stuck_work(follower, key, position, state, attempts, error)
      SELECT 'reaction/mail/0', k, 7, 'parked', 8, 'no' FROM unnest($1::text[]) k`,
    values: [some.map(({ key }) => key)],
  });
};

const change = async ({ owner }: StuckScene, some: readonly Key[], text: string): Promise<void> => {
  await owner.rows({ text: `${text} WHERE key = ANY($1)`, values: [some.map(({ key }) => key)] });
};

test('what is acted on is exactly the planned entries that are still stuck, and the others are named', () =>
  withEmptyStore(async (scene) => {
    const { call, owner, all } = scene;
    await fc.assert(
      fc.asyncProperty(keys, fc.constantFrom('retry' as const, 'skip' as const), async (some, action) => {
        const of = (...wanted: readonly string[]) => some.filter(({ fate }) => wanted.includes(fate));
        await owner.rows({ text: 'DELETE FROM svc_stuck_work; DELETE FROM svc_stuck_plans' });
        await park(scene, of('stays', 'moves on', 'is released', 'is gone'));
        const plan = planOf(action, await listToPlan(call.database, {}, 1_000));
        await keepPlan(call.database, plan, 'everything');
        await change(scene, of('moves on'), 'UPDATE svc_stuck_work SET position = 8');
        await change(scene, of('is released'), `UPDATE svc_stuck_work SET state = 'retrying'`);
        await change(scene, of('is gone'), 'DELETE FROM svc_stuck_work');
        await park(scene, of('is new'));
        const kept = await findPlan(call.database, plan.token);
        assert.is(kept?.count ?? 0, some.length - of('is new').length);
        const { repaired, left } =
          kept === undefined ? { repaired: 0, left: [] } : await carryOut(call, kept);
        assert.is(repaired, of('stays').length);
        const ids = of('moves on', 'is released', 'is gone').map(({ key }) => `reaction/mail/0@7/${key}`);
        assert.equal(left.toSorted(), ids.toSorted());
        const acted = action === 'retry' ? 'attempts = 0' : 'given_up = 7';
        assert.equal(
          (await all(`SELECT key FROM svc_stuck_work WHERE ${acted}`)).toSorted(),
          of('stays')
            .map(({ key }) => key)
            .toSorted(),
        );
      }),
      { numRuns: seeds(25, 300) },
    );
  }));
