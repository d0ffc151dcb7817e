import { posix } from 'node:path';
import type { Source } from './source.js';

/** What is known of a node of a graph. */
interface Visit {
  readonly order: number;
  /** The earliest node on the path that it reaches. */
  low: number;
  isOnPath: boolean;
}

/** The groups of nodes that all reach each other, in one pass; a node is a place in the list of successors. */
function cyclesIn(next: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const visits: (Visit | undefined)[] = [];
  const path: number[] = [];
  const cycles: (readonly number[])[] = [];
  let order = 0;
  const visit = (node: number): Visit => {
    const here: Visit = { order, low: order++, isOnPath: true };
    visits[node] = here;
    path.push(node);
    for (const to of next[node] ?? []) {
      const known = visits[to];
      const seen = known ?? visit(to);
      if (seen.isOnPath) here.low = Math.min(here.low, known === undefined ? seen.low : seen.order);
    }
    if (here.low < here.order) return here;
    const group = path.splice(path.lastIndexOf(node));
    for (const member of group) (visits[member] ?? here).isOnPath = false;
    if (group.length > 1 || next[node]?.includes(node)) cycles.push(group);
    return here;
  };
  for (const node of next.keys()) if (visits[node] === undefined) visit(node);
  return cycles;
}

/** A room may import itself and the rooms before it, and nothing outside the rooms. */
export const rooms = ['contracts', 'runtime', 'actors', 'endpoints', 'ops'];

export const againstTheArrow = (sources: readonly Source[]): readonly string[] =>
  arrows(sources)
    .filter(({ from, to }) => isInside(from.path) && (folderOf(from.path) < folderOf(to) || isForeign(to)))
    .map(({ from, to }) => `${from.path} imports ${to}`);

/** An index.ts is for users of the package: only another index.ts may re-export it, and a test may import it. */
export const importsOfAnIndex = (sources: readonly Source[]): readonly string[] =>
  arrows(sources)
    .filter(({ from, to }) => isIndex(to) && !isIndex(from.file) && !isForTests(from.path))
    .map(({ from, to }) => `${from.path} imports ${to}`);

/** Each group of files that all import each other, directly or through others. */
export function importCycles(sources: readonly Source[]): readonly string[] {
  const places = new Map(sources.map(({ file }, place) => [file, place]));
  const next = sources.map(({ imports }) => imports.flatMap(({ file: to }) => places.get(to ?? '') ?? []));
  return cyclesIn(next)
    .map((group) => group.toSorted((a, b) => a - b))
    .toSorted(([a = 0], [b = 0]) => a - b)
    .map((group) => group.map((place) => sources[place]?.file).join(' - '));
}

/** Folders whose files import each other, except tests and files outside the rooms. */
export function mutualFolders(sources: readonly Source[]): readonly string[] {
  const pairs = arrows(sources.filter(({ path }) => !isForTests(path)))
    .filter(({ from }) => !isIndex(from.file))
    .map(({ from, to }) => [posix.dirname(from.path), posix.dirname(to)] as const);
  const seen = new Set(pairs.map(([from, to]) => `${from} <-> ${to}`));
  const mutual = pairs.filter(([from, to]) => from < to && seen.has(`${to} <-> ${from}`));
  return [...new Set(mutual.map(([from, to]) => `${from} <-> ${to}`))].toSorted();
}

/** Imports of packages outside their homes; tests may import any package. */
export const importsAwayFromHome = (
  sources: readonly Source[],
  homes: Readonly<Record<string, readonly string[]>>,
): readonly string[] =>
  sources
    .filter(({ path }) => !isForTests(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ file, specifier }) => file === undefined && !specifier.startsWith('node:'))
        .map(({ specifier }) => packageIn(specifier))
        .filter((name) => !(homes[name] ?? []).some((home) => path.startsWith(home)))
        .map((name) => `${path} imports ${name}`),
    );

/** Sources import modules, tests too: a process that has the package as well has every class twice. */
export const importsOfThePackage = (sources: readonly Source[]): readonly string[] =>
  sources
    .filter(({ path }) => isInside(path) && !path.startsWith('ops/create/template'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ specifier }) => /^svc-runtime(?:\/|$)|^\.\.?\/(?:.*\/)?dist\//.test(specifier))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );

const arrows = (sources: readonly Source[]) =>
  sources.flatMap((from) =>
    from.imports.flatMap(({ file }) => (file === undefined ? [] : [{ from, to: file }])),
  );

const folderOf = (path: string): number => rooms.indexOf(path.split('/')[0] ?? '');
/** An index.ts has its own rule. */
const isForeign = (file: string): boolean => !isInside(file) && !isIndex(file);
const isInside = (path: string): boolean => folderOf(path) >= 0;
const isIndex = (file: string): boolean => posix.basename(file) === 'index';
const packageIn = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

export const isForTests = (path: string): boolean =>
  /\.test\.ts$|-contract\.ts$|\/(?:testing|kit|conformance|fixtures|parsing)\//.test(path);
