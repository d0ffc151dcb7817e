import { suite } from '../../contracts/testing/suite.js';
import { crashAndRecover } from '../testing/postgres-pair.js';
import { happened, isVisible, onPair, waitingWithoutStandby } from '../testing/hosts-on-pair.js';
import { until } from '../kit/until.js';

const test = suite('commits after the primary or the standby came back');

test('a commit that became visible by a crash of the primary, without the standby, is never acknowledged', () =>
  onPair(async ({ pair, host }) => {
    const { append, claim, acknowledged } = host();
    const event = happened();
    await waitingWithoutStandby(pair, append, event);
    await crashAndRecover(pair);
    await until(() => isVisible(pair, event));
    claim(event);
    const other = host();
    other.append(event, false);
    await until(
      async () => acknowledged.length + other.acknowledged.length > 2 || (await pair.waiting()).length >= 2,
    );
  }));

test('a commit that had to be retried is acknowledged once the standby is back, and survives', () =>
  onPair(async ({ pair, host }) => {
    const { append, claim, acknowledged } = host();
    const event = happened();
    const waiting = await waitingWithoutStandby(pair, append, event);
    await pair.admin('SELECT pg_terminate_backend($1)', [waiting]);
    await until(async () => (await pair.waiting()).some((pid) => pid !== waiting));
    claim(event);
    await pair.startStandby();
    await until(() => acknowledged.length === 3);
  }));
