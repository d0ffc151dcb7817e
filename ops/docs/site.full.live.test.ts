import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { npmEnvironment } from '../../runtime/testing/npm-environment.js';
import { publicNames } from '../testing/structure/public-names.js';
import { repository } from './reference-pages.js';

const test = suite('the site');

test('it builds without a broken link, and every public name has an entry', () => {
  const main = join(repository, 'build/ops/docs/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], {
    env: npmEnvironment(),
    encoding: 'utf8',
  });
  assert.is(status, 0, `${stdout}${stderr}`);
  const entries = new Set(
    readdirSync(join(repository, 'docs/reference/api'), { recursive: true }).map(String),
  );
  const read = (path: string) => readFileSync(join(repository, path), 'utf8');
  const documented = new Set<string>();
  for (const [module, index] of [
    ['svc-runtime', 'index.ts'],
    ['svc-runtime.system-events', 'actors/system-events/index.ts'],
    ['svc-runtime.testing', 'actors/kit/index.ts'],
    ['svc-runtime.ops', 'ops/index.ts'],
  ] as const) {
    const missing = publicNames(index, read).filter(
      ({ name }) =>
        !documented.has(name) &&
        ![...entries].some((entry) => new RegExp(`/${module}(?:_|\\.)${name}\\.md$`).test(entry)),
    );
    for (const { name } of publicNames(index, read)) documented.add(name);
    assert.equal(
      missing.map(({ name }) => name),
      [],
      module,
    );
  }
});

test('every link of the site leads to a page of it', () => {
  const site = join(repository, 'docs/.vitepress/dist');
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.html'),
  );
  const links = pages.flatMap((page) =>
    [...readFileSync(join(site, page), 'utf8').matchAll(/<a [^>]*href="([^":#?]+)["#?]/g)].map(
      ([, target = '']) => [page, target] as const,
    ),
  );
  assert.ok(links.length > 1_000, String(links.length));
  const leads = ([page, target]: readonly [string, string]): boolean => {
    const path = target.startsWith('/') ? join(site, target) : join(site, dirname(page), target);
    return [path, `${path}.html`, join(path, 'index.html')].some(
      (file) => existsSync(file) && statSync(file).isFile(),
    );
  };
  assert.equal(
    links.filter((link) => !leads(link)),
    [],
  );
});

test('a page in Markdown shows the same pictures as its page in HTML', () => {
  const site = join(repository, 'docs/.vitepress/dist');
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  const pictures = pages.flatMap((page) =>
    [...readFileSync(join(site, page), 'utf8').matchAll(/!\[[^\]]*\]\(([^):]+)\)/g)].map(
      ([, source = '']) => [page, source] as const,
    ),
  );
  assert.ok(pictures.length >= 8, String(pictures.length));
  const missing = pictures.filter(
    ([page, source]) =>
      !existsSync(source.startsWith('/') ? join(site, source) : join(site, dirname(page), source)),
  );
  assert.equal(missing, []);
});
