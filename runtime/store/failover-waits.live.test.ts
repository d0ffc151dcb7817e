import { suite } from '../../contracts/testing/suite.js';
import { happened, isVisible, onPair, waitingWithoutStandby } from '../testing/hosts-on-pair.js';
import { until } from '../kit/until.js';

const test = suite('commits that wait for the standby');

test('a commit whose wait for the standby exceeded the statement timeout is not acknowledged, however few messages the server sends', () =>
  onPair(async ({ pair, host }) => {
    await pair.admin('ALTER DATABASE svc SET client_min_messages = error');
    await pair.admin('ALTER DATABASE svc SET synchronous_commit = off');
    const { append, acknowledged } = host({ statementTimeoutMs: 1_000 });
    const first = await waitingWithoutStandby(pair, append);
    const seen = new Set([first]);
    await until(async () => {
      for (const pid of await pair.waiting()) seen.add(pid);
      return acknowledged.length > 1 || seen.size > 2;
    });
  }));

test('a stored response is not replayed before the standby has it', () =>
  onPair(async ({ pair, host }) => {
    const { append, claim, acknowledged } = host();
    const event = happened();
    const waiting = await waitingWithoutStandby(pair, append, event);
    await pair.admin('SELECT pg_cancel_backend($1)', [waiting]);
    await until(() => isVisible(pair, event));
    claim(event);
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).length >= 2);
  }));

test('a commit that a frozen replication holds back is not acknowledged', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged } = host();
    append(happened());
    await until(() => acknowledged.length === 1);
    await pair.freezeSender();
    append(happened());
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).length > 0);
  }));
