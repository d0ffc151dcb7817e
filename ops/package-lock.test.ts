import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('the lock file');

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, Locked>> };

test('it names the packages of every platform, so that npm ci works on each', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(name, path)),
  );
  assert.equal(missing, []);
});

test('it knows what every package holds, and names no registry', () => {
  const { '': ours, ...others } = packages;
  assert.ok(ours);
  for (const [path, { integrity, resolved }] of Object.entries(others)) {
    assert.match(integrity ?? '', /^sha512-/, path);
    assert.is(resolved, undefined, path);
  }
});

test.run();

const isLocked = (name: string, path: string): boolean =>
  [`node_modules/${name}`, `${path}/node_modules/${name}`].some((place) => place in packages);
