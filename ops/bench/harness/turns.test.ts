import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { inTurns } from './turns.js';

const test = suite('bench turns');

const never = new AbortController().signal;
const rounds = new URL('rounds.js', import.meta.url).href;

/** Each measurement writes two lines with a pause between them: those of others would show in it. */
const bench = (name: string, variants: number): string => `
  import { appendFile } from 'node:fs/promises';
  import { interleave } from ${JSON.stringify(rounds)};
  const log = process.argv[2];
  const measure = async () => {
    await appendFile(log, '${name} begins\\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await appendFile(log, '${name} ends\\n');
    return {};
  };
  await interleave(Array.from({ length: ${variants} }, (_, at) => ({ name: String(at), measure })), 2, new AbortController().signal);
  console.log('${name} done');
`;

test('two benches measure in turn, never at once, and the one that has more to do finishes alone', () =>
  withFolder(async (folder) => {
    const log = join(folder, 'log');
    const scripts = [];
    for (const [name, variants] of [
      ['a', 1],
      ['b', 2],
    ] as const) {
      const file = join(folder, `${name}.mjs`);
      await writeFile(file, bench(name, variants));
      scripts.push({ file, args: [log], env: process.env });
    }
    const outputs = await inTurns(scripts, never);
    assert.equal(
      outputs.map((output) => output.status === 'fulfilled' && output.value),
      ['a done\n', 'b done\n'],
    );
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    assert.equal(
      lines.filter((line) => line.endsWith('begins')).map((line) => line[0]),
      ['a', 'b', 'a', 'b', 'b', 'b'],
    );
    assert.ok(lines.every((line, at) => at % 2 === 0 || line === lines[at - 1]?.replace('begins', 'ends')));
  }));

test('a bench that fails says why, and the other one finishes', () =>
  withFolder(async (folder) => {
    const [failing, working] = [join(folder, 'failing.mjs'), join(folder, 'working.mjs')];
    await writeFile(failing, `console.error('bench: there is nothing to measure'); process.exit(1);`);
    await writeFile(working, `console.log('done');`);
    const outputs = await inTurns(
      [failing, working].map((file) => ({ file, args: [], env: process.env })),
      never,
    );
    assert.equal(
      outputs.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    const [failed] = outputs;
    assert.match(String(failed?.status === 'rejected' && failed.reason), /there is nothing to measure/);
  }));
