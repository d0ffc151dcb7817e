import { suite } from '../../contracts/testing/suite.js';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { withSources } from '../../endpoints/testing/source-tree.js';
import { svc, command } from '../testing/ping-sources.js';

const test = suite('svc generate');

const pinged = `
import { Event, Sensitive, type Uuid } from 'svc-runtime';
export class Pinged extends Event { id!: Uuid; @Sensitive({ subject: 'id' }) email!: string | null; }
`;

test('it writes the files, and writes nothing the second time', () =>
  withSources({ 'ping.ts': command('Ping') }, async (dir) => {
    const first = await svc(dir, '--json');
    assert.is(first.status, 0, first.stderr);
    const { written } = JSON.parse(first.stdout) as { written: string[] };
    assert.ok(written.includes('generated/ping.endpoint.ts') && written.includes('generated/openapi.json'));
    const before = await readFile(join(dir, 'generated/registry.ts'), 'utf8');
    assert.equal(JSON.parse((await svc(dir, '--json')).stdout), { commands: 1, stale: [], written: [] });
    assert.is(await readFile(join(dir, 'generated/registry.ts'), 'utf8'), before);
  }));

test('--check writes nothing and exits with 1 when a file is stale', () =>
  withSources({ 'ping.ts': command('Ping') }, async (dir) => {
    const stale = await svc(dir, '--check');
    assert.is(stale.status, 1);
    assert.match(stale.stderr, /generated\/ping\.endpoint\.ts is stale; run svc generate/);
    assert.not.ok(existsSync(join(dir, 'generated')));
    await svc(dir);
    assert.is((await svc(dir, '--check')).status, 0);
    await writeFile(join(dir, 'ping.ts'), command('Pong'));
    assert.is((await svc(dir, '--check')).status, 1);
  }));

test('a command that names a value of a subject without hiding it is a warning: its audit keeps the value', () =>
  withSources(
    { 'ping.ts': command('Ping').replace('reason?', 'email?'), 'pinged.ts': pinged },
    async (dir) => {
      const { status, stderr } = await svc(dir);
      assert.is(status, 0, stderr);
      assert.match(
        stderr,
        /^ping\.ts: warning: Pinged\.email has a subject, and the audit keeps Ping\.email as it is/,
      );
      const source = await readFile(join(dir, 'ping.ts'), 'utf8');
      const marked = source
        .replace('email?', '@Sensitive() email?')
        .replace('Command,', 'Command, Sensitive,');
      await writeFile(join(dir, 'ping.ts'), marked);
      assert.not.match((await svc(dir)).stderr, /warning/);
    },
  ));

test('files of a removed command are deleted', () =>
  withSources({ 'ping.ts': command('Ping'), 'pong.ts': command('Pong') }, async (dir) => {
    await svc(dir);
    assert.ok(existsSync(join(dir, 'generated/pong.endpoint.ts')));
    await rm(join(dir, 'pong.ts'));
    assert.is((await svc(dir)).status, 0);
    assert.not.ok(existsSync(join(dir, 'generated/pong.endpoint.ts')));
  }));

test('--stub writes the class to fill in, once', () =>
  withSources({ 'ping.ts': command('Ping', ', requestType: PingRequest') }, async (dir) => {
    assert.match((await svc(dir)).stderr, /SVC1012.*--stub Ping/);
    assert.is((await svc(dir, '--stub', 'Ping')).status, 0);
    assert.match(
      await readFile(join(dir, 'ping.endpoint.ts'), 'utf8'),
      /mapRequestToCommand\(\{ id \}: PingRequest\): Ping/,
    );
    assert.is((await svc(dir)).status, 0);
    assert.match((await svc(dir, '--stub', 'Ping')).stderr, /already exists/);
    assert.match((await svc(dir, '--stub', 'Nobody')).stderr, /There is no command Nobody/);
  }));
