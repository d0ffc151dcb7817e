import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { account, accounts, booked } from '../testing/accounts-perspective.js';
import { timeoutSignal, withPerspectiveHosts } from '../testing/perspective-hosts.js';

const test = suite('the rate of a rebuild');

for (const mode of [RebuildMode.BlueGreen, RebuildMode.InPlace]) {
  test(`${mode} keeps to its maximum rate, and reports progress at most once a second`, () =>
    withPerspectiveHosts(async ({ owner, host }) => {
      const service = host([accounts()]);
      const stream = account();
      const amounts = Array.from({ length: 40 }, (_, index) => booked(index));
      const { globalPositions } = await service.eventStore.append(stream, amounts);
      await service.caughtUp('accounts', globalPositions.at(-1) ?? 0, timeoutSignal());
      const began = performance.now();
      await service.rebuild('accounts', { mode, maxRate: 10 });
      const seconds = (performance.now() - began) / 1_000;
      // The first page is folded at once.
      assert.ok(seconds > 2.9, `40 events, ten a second, took ${seconds} s`);
      const text = "SELECT 1 FROM svc_system_stream WHERE event_type = 'PerspectiveRebuildProgress'";
      const { length } = await owner.rows({ text });
      // All of them together: a busy machine stores one late and the next one in time.
      assert.ok(length >= 2 && length <= seconds, `progress was reported ${length} times in ${seconds} s`);
    }));
}
