import { constants, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import { slotsFile } from './slot-assignments.js';
import { objectIn, textIn, written } from './stored-json.js';

/** A revision that is kept. */
export interface Release {
  readonly revision: string;
  /** What `svc supervise` runs: a copy, or the source itself if its module lies outside its folder. */
  readonly app: string;
  readonly keptAt: string;
}

const manifest = 'release.json';
const skipped = new Set(['.git', '.svc']);
/** What else lies in the folder of the revisions. */
const reserved = new Set([slotsFile, `${slotsFile}.new`]);

/** The folder of the revisions; each has a folder with its application, its data and its log. */
export class Releases {
  constructor(private readonly folder: string) {}

  folderOf(revision: string): string {
    mustBeName(revision);
    return join(this.folder, revision);
  }

  /** Newest first. */
  async known(): Promise<readonly Release[]> {
    const names = await readdir(this.folder).catch(() => []);
    const releases = await Promise.all(
      names.filter(isName).map((name) => this.#read(name).catch(() => undefined)),
    );
    return releases
      .flatMap((release) => (release === undefined || release === 'broken' ? [] : release))
      .toSorted((a, b) => b.keptAt.localeCompare(a.keptAt) || b.revision.localeCompare(a.revision));
  }

  async find(revision: string): Promise<Release | undefined> {
    const release = await this.#read(revision);
    if (release !== 'broken') return release;
    throw new Problem('invalid-setup', {
      detail: `${join(this.folderOf(revision), manifest)} is damaged; remove that folder, then deploy ${revision} again.`,
    });
  }

  async #read(revision: string): Promise<Release | 'broken' | undefined> {
    const text = await textIn(join(this.folderOf(revision), manifest));
    if (text === undefined) return undefined;
    const { revision: name, app, keptAt } = objectIn(text) ?? {};
    const isWhole = name === revision && typeof app === 'string' && typeof keptAt === 'string';
    return isWhole ? { revision: name, app, keptAt } : 'broken';
  }

  /** Keeps an application under the name of a revision, in place of what had that name. */
  async keep(revision: string, source: string): Promise<Release> {
    const folder = this.folderOf(revision);
    return written(folder, () => this.#write(revision, folder, source));
  }

  async #write(revision: string, folder: string, source: string): Promise<Release> {
    const path = resolve(source);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const app = (await isSelfContained(path, source)) ? await this.#copy(path, join(folder, 'app')) : path;
    const release: Release = { revision, app, keptAt: new Date().toISOString() };
    const file = join(folder, manifest);
    await writeFile(`${file}.new`, `${JSON.stringify(release)}\n`);
    await rename(`${file}.new`, file);
    return release;
  }

  /** The folder of the revisions may lie in that of the application. */
  async #copy(from: string, to: string): Promise<string> {
    const begun = `${to}.new`;
    await rm(begun, { recursive: true, force: true });
    await mkdir(begun);
    for (const name of await readdir(from)) {
      const entry = join(from, name);
      if (skipped.has(name) || contains(entry, this.folder)) continue;
      const clone = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE };
      await cp(entry, join(begun, name), clone);
    }
    await rm(to, { recursive: true, force: true });
    await rename(begun, to);
    return to;
  }
}

async function isSelfContained(path: string, source: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new Problem('invalid-setup', { detail: `There is no application at ${source}.` });
  if (!found.isDirectory()) return false;
  const text = await readFile(join(path, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) throw new Problem('invalid-setup', { detail: `${source} has no package.json.` });
  const [, main = ''] = /"main"\s*:\s*"([^"]*)"/.exec(text) ?? [];
  return contains(path, resolve(path, main));
}

const contains = (folder: string, path: string): boolean => {
  const within = relative(folder, path);
  return within !== '..' && !within.startsWith(`..${sep}`);
};

const isName = (revision: string): boolean =>
  /^\w[\w.+-]{0,63}$/.test(revision) && basename(revision) === revision && !reserved.has(revision);

function mustBeName(revision: string): void {
  if (reserved.has(revision))
    throw new Problem('invalid-setup', { detail: `A revision cannot be called ${revision}; name another.` });
  if (!isName(revision))
    throw new Problem('invalid-setup', {
      detail: `A revision has a name of up to 64 letters, digits, _ . + and -, not '${revision.slice(0, 80)}'.`,
    });
}
