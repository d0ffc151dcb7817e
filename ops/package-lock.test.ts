import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';

const test = suite('lock files');

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Packages = Readonly<Record<string, Locked>>;

const packagesOf = (folder: string): Packages =>
  (
    JSON.parse(readFileSync(new URL(`../../${folder}package-lock.json`, import.meta.url), 'utf8')) as {
      readonly packages: Packages;
    }
  ).packages;

for (const folder of ['', 'docs/']) {
  const packages = packagesOf(folder);

  test(`${folder}package-lock.json names the packages of every platform, so that npm ci works on each`, () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(packages, name, path)),
    );
    assert.equal(missing, []);
  });

  test(`${folder}package-lock.json has the integrity hash of every package, and names no registry`, () => {
    const { '': ours, ...others } = packages;
    assert.ok(ours);
    for (const [path, { integrity, resolved }] of Object.entries(others)) {
      assert.match(integrity ?? '', /^sha512-/, path);
      assert.is(resolved, undefined, path);
    }
  });
}

// The schemas of Kubernetes ask for Node.js 22 and run on 20, where the tests use them: the lock leaves their wish out.
test('npm install prints no warning about the version of Node.js', () => {
  const wishes = Object.entries(packagesOf('')).filter(([, { engines }]) =>
    /^>= ?2[1-9]/.test(engines?.node ?? ''),
  );
  assert.equal(wishes, []);
});

function isLocked(packages: Packages, name: string, path: string): boolean {
  return [`node_modules/${name}`, `${path}/node_modules/${name}`].some((key) => key in packages);
}
