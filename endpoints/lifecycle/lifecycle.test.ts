import * as assert from 'uvu/assert';
import { Actor } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import type { FailingState, LifecycleEnd, Visit } from '../../runtime/request/observer.js';
import { type Lifecycle, lifecycleFor } from './lifecycle.js';
import { lifecycleMachine, type LifecyclePlan } from './lifecycle-machine.js';

const test = suite('lifecycle');

type Way = 'absent' | 'returns' | 'throws' | 'rejects';

interface Story {
  readonly map: Way;
  readonly before: Way;
  readonly dispatch: Exclude<Way, 'absent'>;
  readonly after: Way;
  readonly error: Way | 'returns null';
  readonly aborted: boolean;
}

const plain: Story = {
  map: 'absent',
  before: 'absent',
  dispatch: 'returns',
  after: 'absent',
  error: 'absent',
  aborted: false,
};

const planOf = (story: Story): LifecyclePlan => ({
  mapsRequest: story.map !== 'absent',
  hasBefore: story.before !== 'absent',
  hasAfter: story.after !== 'absent',
  hasError: story.error !== 'absent',
});

type Work = Readonly<Record<FailingState, () => unknown>>;

/** The work of each state, which records its calls. */
function workOf(story: Story, diary: string[]): Work {
  const act = <T>(name: string, way: string, result: T): T | Promise<T> => {
    diary.push(name);
    if (way === 'throws') throw new Error(name);
    return way === 'rejects' ? Promise.reject(new Error(name)) : result;
  };
  return {
    checking: () => (story.aborted ? new Error('aborted') : undefined),
    mapping: () => act('map', story.map, undefined),
    before: () => act('before', story.before, undefined),
    dispatching: () => act('dispatch', story.dispatch, 'result'),
    after: () => act('after', story.after, undefined),
    recovering: () => act('recover', story.error, story.error === 'returns null' ? null : 'fallback'),
  };
}

const lifecycleOf = (story: Story, work: Work): Lifecycle<undefined, string> =>
  lifecycleFor(planOf(story), (state) => work[state]());

interface Run {
  readonly diary: readonly string[];
  readonly outcome: string;
  readonly end: string;
}

const textOfEnd = (end: LifecycleEnd<string>): string =>
  'result' in end ? end.result : `${(end.error as Error).message} in ${end.in}`;

async function run(story: Story, visit?: Visit): Promise<Run> {
  const diary: string[] = [];
  const end = await lifecycleOf(story, workOf(story, diary)).run(undefined, visit);
  return { diary, outcome: end.outcome, end: textOfEnd(end) };
}

test('step 1: cancellation is observed first, and nothing else runs', async () => {
  const story: Story = {
    ...plain,
    map: 'returns',
    before: 'returns',
    after: 'returns',
    error: 'returns',
    aborted: true,
  };
  assert.equal(await run(story), { diary: [], outcome: 'cancelled', end: 'aborted in checking' });
});

test('steps 2, 3, 4a: before-hook, dispatch, after-hook, and the result is returned', async () => {
  const ended = await run({ ...plain, before: 'returns', after: 'returns', error: 'returns' });
  assert.equal(ended, { diary: ['before', 'dispatch', 'after'], outcome: 'completed', end: 'result' });
});

test('mapping comes before the before-hook', async () => {
  const ended = await run({ ...plain, map: 'returns', before: 'returns' });
  assert.equal(ended.diary, ['map', 'before', 'dispatch']);
});

test('step 4b: a result from the error-hook suppresses the exception and is returned', async () => {
  const ended = await run({ ...plain, dispatch: 'rejects', after: 'returns', error: 'returns' });
  assert.equal(ended, { diary: ['dispatch', 'recover'], outcome: 'recovered', end: 'fallback' });
});

test('step 4b: null from the error-hook rethrows the original exception', async () => {
  const ended = await run({ ...plain, dispatch: 'rejects', after: 'returns', error: 'returns null' });
  assert.equal(ended, { diary: ['dispatch', 'recover'], outcome: 'failed', end: 'dispatch in dispatching' });
});

/** An error-hook that returns this, after a failed dispatch. */
function endAfter(fallback: unknown): Promise<LifecycleEnd<unknown>> {
  const story: Story = { ...plain, dispatch: 'throws', error: 'returns' };
  return lifecycleOf(story, { ...workOf(story, []), recovering: () => fallback }).run(undefined);
}

for (const fallback of [false, 0, '']) {
  test(`${JSON.stringify(fallback)} from the error-hook is a result, not a rethrow`, async () => {
    const end = await endAfter(fallback);
    assert.is(end.outcome, 'recovered');
    assert.ok('result' in end);
    assert.is(end.result, fallback);
  });
}

test('undefined from the error-hook rethrows, as null does', async () => {
  const end = await endAfter(undefined);
  assert.is(end.outcome, 'failed');
});

test('step x: an error of the before-hook goes to the caller; the error-hook is not called', async () => {
  const ended = await run({ ...plain, before: 'throws', after: 'returns', error: 'returns' });
  assert.equal(ended, { diary: ['before'], outcome: 'failed', end: 'before in before' });
});

test('a failing mapping behaves like a failing before-hook', async () => {
  const ended = await run({ ...plain, map: 'rejects', before: 'returns', error: 'returns' });
  assert.equal(ended, { diary: ['map'], outcome: 'failed', end: 'map in mapping' });
});

test('a failing after-hook fails the request without the error-hook', async () => {
  const ended = await run({ ...plain, after: 'throws', error: 'returns' });
  assert.equal(ended, { diary: ['dispatch', 'after'], outcome: 'failed', end: 'after in after' });
});

test('an error of the error-hook goes to the caller, with the original as its cause', async () => {
  const story: Story = { ...plain, dispatch: 'throws', error: 'throws' };
  const end = await lifecycleOf(story, workOf(story, [])).run(undefined);
  assert.ok('error' in end && end.error instanceof Error);
  assert.is(end.error.message, 'recover');
  assert.is((end.error.cause as Error).message, 'dispatch');
});

const ways: readonly Way[] = ['absent', 'returns', 'throws', 'rejects'];
const stories: Story[] = ways.flatMap((map) =>
  ways.flatMap((before) =>
    (['returns', 'throws', 'rejects'] as const).flatMap((dispatch) =>
      ways.flatMap((after) =>
        ([...ways, 'returns null'] as const).flatMap((error) =>
          [false, true].map((aborted) => ({ map, before, dispatch, after, error, aborted })),
        ),
      ),
    ),
  ),
);

/** A run, and the states and errors that its observer saw. */
async function observedRun(story: Story, isWatched: boolean): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const end = await run(story, {
    isWatched,
    moved: (event, to, error) => void seen.push(event, to, (error as Error | undefined)?.message),
    left: ({ outcome }) => void seen.push(outcome),
  });
  assert.equal(seen.slice(-3), [end.outcome, seen.at(-2), end.outcome], 'the observer saw the end');
  return [end, ...seen];
}

test('a watched request runs the real machine, any other the table; each is a root actor', () => {
  const lifecycle = lifecycleOf(plain, workOf(plain, []));
  const [watched, ordinary] = [lifecycle.actor(true), lifecycle.actor(false)];
  assert.is(watched.logic, lifecycleMachine);
  assert.is.not(ordinary.logic, lifecycleMachine);
  for (const actor of [watched, ordinary]) assert.instance(actor, Actor);
});

test('every combination of hooks passes the same states in the machine and in the table', async () => {
  for (const story of stories)
    assert.equal(await observedRun(story, true), await observedRun(story, false), JSON.stringify(story));
  assert.is(stories.length, 1920);
});
