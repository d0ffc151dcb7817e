import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { build, cli, testsOf, withNewService } from '../testing/new-service.js';
import { listeningTo, startProgram } from '../testing/spawned-host.js';
import { type Block, blocksOf, commandsOf } from './code-blocks.js';
import { repository } from './reference-pages.js';
import { shellFaultsIn } from './shell-blocks.js';

const test = suite('the guide to a service of your own');

const page = 'docs/guides/your-own-service.md';
const blocks = blocksOf(page, await readFile(join(repository, page), 'utf8'));

/** Writes the file of a block, or adds what it adds, to the service in a folder. */
async function follow(block: Block, dir: string): Promise<void> {
  const [, path] = /^\/\/ (src\/\S+)\n/.exec(block.text) ?? [];
  if (path !== undefined) await writeFile(join(dir, path), block.text);
  for (const { command } of commandsOf(block)) {
    if (!command.startsWith('npx svc add ')) continue;
    const words = command.split(' ').slice(2);
    const { ended, output } = startProgram(process.execPath, [cli, ...words, '--app', dir], {});
    assert.is((await ended).code, 0, output.stderr.join(''));
  }
}

/** Runs the commands of a block while the service runs. */
const runAgainst = (block: Block, dir: string, url: string): Promise<void> =>
  listeningTo(startProgram(process.execPath, [cli, 'dev', dir], { DATABASE_URL: url }), async (host) => {
    const around = { folder: dir, env: {}, host: new URL(host.url).host };
    assert.equal(await shellFaultsIn([block], around), []);
    await host.kill('SIGTERM');
  });

test('a reader who follows it has a service that takes books back, and tests that pass', () =>
  withNewService((dir) =>
    withDatabase(async (url) => {
      for (const block of blocks) {
        if (block.language === 'console') await runAgainst(block, dir, url);
        else await follow(block, dir);
      }
      await build(dir);
      assert.match(await testsOf(dir), /^# pass 4\n# fail 0$/m);
    }),
  ));
