import { changedSources, touched } from './changed.js';
import { findTestFiles, isLive, isLong, unmatched } from './find-test-files.js';
import { affectedBy, type Imports, readImports } from './imports.js';
import { readPages } from './page-imports.js';
import { repository, type Root } from './roots.js';
import { knownDurations } from './run.js';
import { filesOfShard, parseShard } from './shard.js';
import { filesOf, type Tier } from './tiers.js';

interface Choice {
  readonly all: boolean;
  readonly changed: boolean;
  readonly full: boolean;
  readonly rest: boolean;
  readonly shard?: string | undefined;
  /** Parts of paths; with `changed`, first the name of a commit. */
  readonly words: readonly string[];
}

type Selection = Chosen | { readonly mistake: readonly string[] };

interface Chosen {
  readonly files: readonly string[];
  readonly notes: readonly string[];
  readonly imports?: Imports;
}

/** The test files that the arguments ask for: a path wins over a change, and a change over a tier. */
export async function selectFiles(roots: readonly Root[], choice: Choice): Promise<Selection> {
  const [ref = 'HEAD', ...rest] = choice.changed ? choice.words : ['', ...choice.words];
  const found = await findTestFiles(roots, rest);
  const mistaken = unmatched(rest, found);
  if (mistaken.length > 0)
    return { mistake: mistaken.map((filter) => `No test file has '${filter}' in its path.`) };
  if (choice.changed) return sharded(await affected(roots, found, ref), choice.shard);
  if (rest.length > 0) return sharded({ files: found, notes: [] }, choice.shard);
  return sharded(await ofTier(roots, found, tierOf(choice)), choice.shard);
}

const tierOf = ({ all, full, rest }: Choice): Tier => (full ? 'full' : rest ? 'rest' : all ? 'all' : 'quick');

async function affected(roots: readonly Root[], tests: readonly string[], ref: string): Promise<Selection> {
  const sources = await changedSources(repository, ref);
  if (sources === undefined) return { mistake: [`git knows no commit '${ref}'.`] };
  const imports = new Map([...(await readImports(roots)), ...(await readPages(repository))]);
  const { files, unknown } = touched(sources, imports);
  const notes = unknown.length > 0 ? [`No import reaches ${unknown.join(', ')}.`] : [];
  const reached = affectedBy(files, tests, imports).filter((file) => !isLong(file));
  return { files: reached, notes, imports };
}

async function ofTier(roots: readonly Root[], found: readonly string[], tier: Tier): Promise<Chosen> {
  const imports = await readImports(roots);
  const files = filesOf(tier, found, imports);
  if (tier !== 'quick') return { files, notes: [], imports };
  const left = filesOf('rest', found, imports).filter(isLive).length;
  const notes = left > 0 ? [`${left} live files were left out: npm run test:all runs them too.`] : [];
  return { files, notes, imports };
}

async function sharded(selection: Selection, text: string | undefined): Promise<Selection> {
  if (text === undefined || 'mistake' in selection) return selection;
  const shard = parseShard(text);
  if (!shard) return { mistake: [`--shard takes a part of all such as 1/4, not '${text}'.`] };
  return { ...selection, files: filesOfShard(selection.files, shard, await knownDurations()) };
}
