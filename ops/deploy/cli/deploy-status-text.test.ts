import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { defaultOptions } from '../default-options.js';
import { deploymentOf } from '../testing/in-memory-journal.js';
import { lineOf, progressOf, statusText } from './deploy-status-text.js';

const test = suite('the status of a deployment');

const stored = {
  ...deploymentOf('canary', { ...defaultOptions('canary'), oldReplicas: 10 }),
  isDriven: true,
  startedAt: '2026-03-01T09:30:00.123+00:00',
  finishedAt: undefined,
  stage: 1,
  toNew: 25,
  step: 8,
  measured: [
    { toNew: 10, requests: 1_500, errors: 3, oldRequests: 13_500, oldErrors: 20 },
    { toNew: 25, requests: 0, errors: 0, oldRequests: 0, oldErrors: 0 },
  ],
};

test('each stage has the error rates of both revisions', () => {
  assert.is(
    statusText(stored),
    `2026-03-01 09:30:00  canary of 1.5.0 after 1.4.2 by ann: running at 25 %
    stage     to new   requests     errors  errors of old
        1       10 %       1500      0.2 %      0.1 %
        2       25 %          0          –          –
`,
  );
});

test('a line gives the reason of a revert', () => {
  assert.match(
    lineOf({ ...stored, state: 'reverted', reason: 'aborted by an operator' }),
    /by ann: reverted at 25 %: aborted by an operator$/,
  );
});

test('the progress is that of the steps', () => {
  assert.equal(progressOf(stored), { done: 8, total: 32, note: 'running, 25 % to new' });
  assert.equal(progressOf({ ...stored, state: 'completed' }).done, 32);
});
