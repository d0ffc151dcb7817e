import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { repository } from './reference-pages.js';

const test = suite('runbook of the alerts');

const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

interface Alert {
  readonly name: string;
  readonly severity: string;
}

const alerts: readonly Alert[] = [
  ...read('ops/grafana/alerts.yml').matchAll(/- alert: (\w+)[^]*?severity: (\w+)/g),
].map(([, name = '', severity = '']) => ({ name, severity }));

const sections = new Map(
  read('docs/operations/alerts.md')
    .split(/^### /m)
    .slice(1)
    .map((section): [string, string] => {
      const [name = '', ...lines] = section.split('\n');
      return [name, lines.join('\n').trim()];
    }),
);

test('every alert has a section, and every section an alert', () => {
  assert.equal([...sections.keys()].toSorted(), alerts.map(({ name }) => name).toSorted());
  assert.ok(alerts.length >= 20);
});

for (const { name, severity } of alerts) {
  test(`the section of ${name} says how urgent it is, and what to do`, () => {
    const text = sections.get(name) ?? '';
    assert.match(text.toLowerCase(), new RegExp(`^${severity}\\. `));
    assert.ok(text.length > 150, text);
  });
}
