import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withDatabase } from '../../runtime/kit/database.js';
import type { SectionJson } from './harness/report.js';
import { suiteNames } from './options.js';

const test = suite('bench suites');

const script = fileURLToPath(new URL('main.js', import.meta.url));
const smallest = ['--rounds', '1', '--seconds', '0.5', '--scale', '0.01', '--alone', '--json'];

const run = (...args: readonly string[]): Promise<readonly SectionJson[]> =>
  withDatabase(async (url) => {
    const env = { ...process.env, DATABASE_URL: url };
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, ...smallest], { env });
    return JSON.parse(stdout) as readonly SectionJson[];
  });

/** The first figures of all variants of all sections. */
const measured = (sections: readonly SectionJson[]) =>
  sections.flatMap(({ figures: [first = ''], rounds }) =>
    Object.entries(rounds).map(([variant, [found]]) => ({ variant, value: found?.[first] })),
  );

for (const name of suiteNames) {
  test(`the smallest run of '${name}' has a figure of every variant`, async () => {
    const found = measured(await run(name));
    assert.ok(found.length > 0);
    for (const { variant, value } of found) assert.type(value, 'number', variant);
  });
}

for (const name of ['http', 'lists', 'tail']) {
  test(`'${name}' is measured on this build and on that of a commit`, async () => {
    const sections = await run(name, '--against', 'HEAD');
    assert.equal(
      sections.flatMap(({ missing }) => missing.filter(({ reason }) => reason !== '--alone')),
      [],
    );
    const variants = sections.flatMap(({ rounds }) => Object.keys(rounds));
    const earlier = variants.filter((variant) => /, [0-9a-f]{7}$/.test(variant));
    assert.ok(earlier.length > 0);
    assert.is(earlier.length * 2, variants.length);
  });
}
