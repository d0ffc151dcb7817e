import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { repository, withSources } from '../testing/source-tree.js';
import { Generator } from './generate.js';
import { differenceOf, writeDifference } from './write-generated-files.js';

const test = suite('source root');

const source = `
import { Command, CommandEndpoint, type Receptor, Sensitive } from 'svc-runtime';
export interface Greeting { text: string }
@CommandEndpoint<Greet, Greeting>({ restRoute: '/greet', graphQLMutation: 'greet' })
export class Greet extends Command { @Sensitive() name!: string }
export class GreetReceptor implements Receptor<Greet, Greeting> {
  constructor(readonly clock: Clock) {}
  handle({ name }: Greet): Greeting { return { text: name + this.clock.now() }; }
}
export class Clock { now(): string { return ''; } }`;
const main = `
import type { ServiceDefinition } from 'svc-runtime';
import { create } from './generated/registry.js';
import { Clock } from './people/greet.js';
export default { name: 'greetings', create: (dispatcher) => create(dispatcher, { clock: new Clock() }) } satisfies ServiceDefinition;`;
const sources = { 'src/people/greet.ts': source, 'src/main.ts': main };

const info = { title: 'greetings', version: '1.0.0' };

async function generated(dir: string, generator = new Generator(dir, info)): Promise<readonly string[]> {
  const result = generator.run();
  assert.ok(result.ok, JSON.stringify(result));
  await writeDifference(dir, await differenceOf(dir, result.files));
  return result.files.map(({ path }) => path);
}

function compile(dir: string): string {
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', dir, '--noEmit'], { encoding: 'utf8', cwd: dir }).stdout;
}

test('with a rootDir the registry lies inside of it, and the service compiles', () =>
  withSources(
    sources,
    async (dir) => {
      assert.equal(await generated(dir), [
        'src/generated/asyncapi.json',
        'src/generated/client.d.ts',
        'src/generated/client.js',
        'src/generated/client.ts',
        'src/generated/codecs.ts',
        'src/generated/documents.ts',
        'src/generated/nats-permissions.json',
        'src/generated/openapi.json',
        'src/generated/registry.ts',
        'src/generated/schema.graphql',
        'src/people/generated/greet.endpoint.ts',
      ]);
      assert.is(compile(dir), '');
    },
    { rootDir: 'src' },
  ));

for (const rootDir of ['.', '..'])
  test(`with the rootDir ${rootDir} it lies beside the tsconfig.json`, () =>
    withSources(
      sources,
      async (dir) => {
        assert.ok((await generated(dir)).includes('generated/registry.ts'));
      },
      { rootDir },
    ));

test('when the rootDir changes, the generated files move with it', () =>
  withSources(sources, async (dir) => {
    const generator = new Generator(dir, info);
    assert.ok((await generated(dir, generator)).includes('generated/registry.ts'));
    const config = join(dir, 'tsconfig.json');
    await writeFile(config, (await readFile(config, 'utf8')).replace('"rootDir":"."', '"rootDir":"src"'));
    await generated(dir, generator);
    assert.is(compile(dir), '');
    assert.is(await readFile(join(dir, 'generated/registry.ts'), 'utf8').catch(() => 'gone'), 'gone');
  }));
