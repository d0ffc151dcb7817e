import { suite } from '../../contracts/testing/suite.js';
import { untilShared } from '../testing/lease-shares.js';
import { withReactionHosts } from '../testing/reaction-hosts.js';

const test = suite('partitions of reactions and timers');

const partitions = '^(reaction|timers)/';

test('of three hosts none holds more than its share, and after one was killed, two share all equally', () =>
  withReactionHosts(async ({ owner, start }) => {
    const [first] = [start(), start(), start()];
    await untilShared(owner, partitions, [6, 6, 4], [6, 5, 5]);
    first.kill('SIGKILL');
    await untilShared(owner, partitions, [8, 8]);
  }));
