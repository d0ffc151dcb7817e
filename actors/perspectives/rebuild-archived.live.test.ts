import * as assert from 'uvu/assert';
import { RebuildMode } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { archiveAll, attachFrom } from '../../runtime/testing/archived-store.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import { account } from '../testing/accounts-perspective.js';
import { withPerspectiveHosts } from '../testing/perspective-hosts.js';
import { book, perspective, spoil, sums } from '../testing/rebuilt-accounts.js';

const test = suite('rebuilds behind archived segments');

test('a rebuild says which archived segments it needs before it changes anything, and succeeds when they are attached', () =>
  withPerspectiveHosts(({ url, owner, host }) =>
    withFolder(async (folder) => {
      await useSegmentsOf(url, 10);
      const service = host([perspective]);
      const streams = [account(), account()].toSorted();
      await book(service, streams, 8);
      const connections = { database: owner, owner };
      const to = await archiveAll(url, connections, folder);
      const young = account();
      await book(service, [young], 2);
      await spoil(owner);
      for (const request of [
        { mode: RebuildMode.BlueGreen },
        { mode: RebuildMode.InPlace },
        { mode: RebuildMode.SelectedStreams, streams },
      ]) {
        const refused = await service.rebuild('accounts', request).catch((error: unknown) => error);
        assert.instance(refused, Problem);
        assert.match(
          (refused as Problem).message,
          new RegExp(
            `^The positions (\\d+) to ${to - 1} are archived; to read them again: svc segments attach \\1$`,
          ),
        );
        assert.equal(await sums(owner), ['666', '666', '666'], request.mode);
      }
      await service.rebuild('accounts', { mode: RebuildMode.SelectedStreams, streams: [young] });
      assert.equal((await sums(owner)).toSorted(), ['3', '666', '666']);
      await attachFrom(connections, 0);
      await service.rebuild('accounts', { mode: RebuildMode.BlueGreen });
      assert.equal((await sums(owner)).toSorted(), ['3', '36', '36']);
    }),
  ));
