import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { withNatsServer } from './nats-server.js';
import { withFolder } from '../kit/temporary-folder.js';

const test = suite('nats server of a test');

/** What a test reports when this program is the first nats-server on the path. */
const reportedWith = async (source: string): Promise<string> => {
  let report = 'nothing';
  await withFolder(async (folder) => {
    await writeFile(join(folder, 'nats-server'), source, { mode: 0o755 });
    const { PATH: path = '' } = process.env;
    process.env['PATH'] = [folder, path].join(delimiter);
    try {
      await withNatsServer(async () => assert.unreachable()).catch(
        ({ message }: Problem) => (report = message),
      );
    } finally {
      process.env['PATH'] = path;
    }
  });
  return report;
};

test('a nats-server that is too old is reported with its own words', async () => {
  const old = '#!/bin/sh\necho "flag provided but not defined: -js" >&2\nexit 2\n';
  assert.match(await reportedWith(old), /^nats-server does not listen on port \d+: flag provided .* -js$/);
});

test('a nats-server that cannot be executed is reported, and does not end the process', async () => {
  const report = await reportedWith('#!/no/such/interpreter\n');
  assert.match(report, /^nats-server does not listen on port \d+: spawn .* ENOENT$/);
});
