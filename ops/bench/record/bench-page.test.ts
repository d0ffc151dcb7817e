import { readFile } from 'node:fs/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { publishedBench, publishedIn, unmeasured } from './bench-page.js';
import { measuredHere, recordedSection, withSections } from './recorded-bench.js';

const test = suite('published benchmarks');

test('the tables and charts of docs/benchmarks.md are those of proof/benchmarks.json', async () => {
  const published = await publishedBench();
  assert.ok(published.length > 1);
  assert.not.match(published[0]?.text ?? '', new RegExp(unmeasured));
  for (const { file, text } of published) assert.is(await readFile(file, 'utf8'), text, file);
});

const section = (title: string, rate: number) =>
  recordedSection(
    {
      title,
      figures: ['events/s', 'p99 ms'],
      baseline: 'ours',
      targets: [],
      missing: [],
      rounds: new Map([
        ['ours', [{ 'events/s': rate, 'p99 ms': 2 }]],
        ['<other>', [{ 'events/s': Number.NaN, 'p99 ms': 4 }]],
      ]),
    },
    measuredHere('0123456789ab'),
  );

const written = '# Page\n\n<!-- bench: appends, chart appends -->\nold\n<!-- end of bench -->\n\nText.\n';

test('a block has a row for each variant, and keeps the text around it', () => {
  const [page, chart] = publishedIn(written, [section('appends by all', 1_234)]);
  assert.match(page?.text ?? '', /\| ours {4}\| 1 234 {4}\| 2\.00 {3}\|\n\| <other> \| – {8}\| 4\.00 {3}\|/);
  assert.match(page?.text ?? '', /^# Page\n/);
  assert.match(page?.text ?? '', /<!-- end of bench -->\n\nText\.\n$/);
  assert.match(chart?.text ?? '', /&lt;other&gt;.*\n.*not measured/);
});

test('filling a page twice changes nothing', () => {
  const recorded = [section('appends by 1', 10), section('appends by 2', 20)];
  const once = publishedIn(written, recorded)[0]?.text ?? '';
  assert.match(once, /\| by 2 \| 20\.0 /);
  assert.is(publishedIn(once, recorded)[0]?.text, once);
});

test('a block of what is not recorded says so, and is filled later', () => {
  const [page, ...charts] = publishedIn(written, []);
  assert.ok(page?.text.includes(unmeasured));
  assert.equal(charts, []);
  const filled = publishedIn(page?.text ?? '', [section('appends by all', 1)])[0]?.text;
  assert.is(filled, publishedIn(written, [section('appends by all', 1)])[0]?.text);
});

test('a bench that was measured again replaces all its sections', () => {
  const all = withSections(
    [section('a: 1', 1), section('a: 2', 1), section('b: 1', 1)],
    [section('a: 2', 2)],
  );
  assert.equal(
    all.map(({ title, rows }) => [title, rows[0]?.values[0]?.median]),
    [
      ['b: 1', 1],
      ['a: 2', 2],
    ],
  );
});
