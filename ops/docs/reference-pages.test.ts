import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as assert from 'uvu/assert';
import { problems } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { allVerbs, commandLinePage } from './command-line-page.js';
import { diagnosticsPage, statedIn } from './generator-diagnostics-page.js';
import { environmentPage, variables } from './environment-page.js';
import { fileOf, llmsText, sidebarOf } from './llms.js';
import { limits } from './limits-page.js';
import { metricsPage } from './metrics-page.js';
import { writtenPages } from './written-pages.js';
import { problemsPage } from './problems-page.js';
import { repository, sourcesIn, statedDiagnostics } from './reference-pages.js';

const test = suite('the reference');

const docs = join(repository, 'docs');
const folders = ['contracts', 'runtime', 'actors', 'endpoints', 'ops'];

test('every problem code is in it', () => {
  const page = problemsPage();
  for (const code of Object.keys(problems)) assert.ok(page.includes(`\`${code}\``), code);
});

test('every code of the generator is in it, with a message', async () => {
  const used = (await sourcesIn('endpoints/generator')).flatMap(([, text]) => text.match(/SVC\d{4}/g) ?? []);
  const page = diagnosticsPage(await statedDiagnostics());
  for (const code of new Set(used)) assert.match(page, new RegExp(`## ${code}\n\n- \\S`), code);
});

test('a message is taken from the call, from its constant, or from both sides of a condition', () => {
  const text = `const why = 'not this way'; d.error('SVC1001', at, why);
    d.error('SVC1002', at, ok ? 'this way only' : \`\${a} other way\`); report('SVC1003', 'a noun');`;
  assert.equal(statedIn('a.ts', text), [
    { code: 'SVC1001', message: 'not this way' },
    { code: 'SVC1002', message: 'this way only' },
    { code: 'SVC1002', message: '… other way' },
    { code: 'SVC1003', message: '' },
  ]);
  const two = `const f = () => { const why = 'this is one'; d.error('SVC1001', why); };
    const g = () => { const why = 'this is another'; d.error('SVC1002', why); };`;
  assert.equal(statedIn('a.ts', two), [
    { code: 'SVC1001', message: 'this is one' },
    { code: 'SVC1002', message: 'this is another' },
  ]);
});

test('every environment variable that is read is in it, and no other', async () => {
  const texts = (await Promise.all(folders.map(sourcesIn)))
    .flat()
    .filter(([path]) => !/^(?:bench|chaos|test|docs)\//.test(path));
  const read = texts.flatMap(([, text]) => [
    ...text.matchAll(/env(?:\.|\[')?,? ?'?((?:SVC|DATABASE|NATS|AMQP)_[A-Z_]+)/g),
  ]);
  const names = new Set(read.map(([, name = '']) => name));
  // Our test runner alone sets it.
  names.delete('SVC_TEST_TEMPLATE_URL');
  assert.equal(
    [...names].filter((name) => !(name in variables)),
    [],
  );
  const all = texts.map(([, text]) => text).join();
  const unread = Object.keys(variables).filter(
    (name) => name !== 'SVC_TEST_DATABASE_URL' && !all.includes(name),
  );
  assert.equal(unread, []);
  for (const name of names) assert.ok(environmentPage().includes(`\`${name}\``), name);
});

test('every verb of the command line is in it, with its help', async () => {
  const found = await Promise.all(['ops/commands', 'ops/deploy/cli'].map(sourcesIn));
  const stated = found.flat().filter(([, text]) => text.includes(': Verb = {'));
  const names = stated.map(([path]) => basename(path, '.ts'));
  assert.ok(names.length > 5);
  const page = commandLinePage(await allVerbs());
  for (const name of names) assert.match(page, new RegExp(`## svc ${name}\n\n\\S[^]*?\`\`\`text\n\\S`), name);
});

test('every metric that the alerts watch is in it', async () => {
  const alerts = await readFile(join(repository, 'ops/grafana/alerts.yml'), 'utf8');
  const page = metricsPage();
  for (const [name] of alerts.matchAll(/\bsvc_[a-z_]+/g)) {
    const family = name.replace(/_(?:bucket|sum|count)$/, '');
    if (!family.endsWith('_db')) assert.ok(page.includes(`\`${family}\``), name);
  }
});

test('every page of the site is in the sidebar, and llms.txt is the list of them', async () => {
  const listed = (await sidebarOf(docs)).flatMap(({ items = [] }) =>
    items.map(({ link = '' }) => fileOf(link)),
  );
  const written = (await writtenPages())
    .map(({ path }) => path.replace(/^docs\//, ''))
    .filter((path) => !/^(?:README|index)\.md$|^decisions\/(?!README)/.test(path));
  assert.equal(
    written.filter((path) => !listed.includes(path)),
    [],
  );
  assert.is(await readFile(join(docs, 'llms.txt'), 'utf8'), await llmsText(docs));
});

test('every limit in it is the one that the sources set', async () => {
  for (const [what, , , file, statement] of limits) {
    const source = await readFile(join(repository, file), 'utf8');
    assert.ok(source.includes(statement), `${what}: ${file} does not say ${statement}`);
  }
});
