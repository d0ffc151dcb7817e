import { existsSync, type FSWatcher, lstatSync, readdirSync, statSync, watch } from 'node:fs';
import { join, sep } from 'node:path';

const settleMs = 15;

/** Calls back once per burst of changes to sources, never for generated or installed files. Returns how to stop. */
export function watchSources(root: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const folders = new WatchedFolders(() => {
    clearTimeout(timer);
    timer = setTimeout(changed, settleMs);
  });
  folders.open(root);
  return () => {
    clearTimeout(timer);
    folders.close();
  };
}

const pollMs = 200;

/** Calls back once when a generated file that other processes write has changed. Returns how to stop. */
export function watchGeneratedFile(
  path: string,
  changed: () => void,
  before: string | undefined = versionOf(path),
): () => void {
  // A folder that is deleted and written again has no watcher, but a path can always be polled.
  const timer = setInterval(() => {
    if (versionOf(path) === before) return;
    clearInterval(timer);
    changed();
  }, pollMs).unref();
  return () => clearInterval(timer);
}

export function versionOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

interface Watched {
  readonly watcher: FSWatcher;
  /** Distinguishes a folder from another one that replaces it. */
  readonly identity: string | undefined;
}

/** Each folder has its own watcher: one for the whole tree would watch installed files too. */
class WatchedFolders {
  readonly #watched = new Map<string, Watched>();

  constructor(private readonly changed: () => void) {}

  open(folder: string): void {
    if (this.#watched.has(folder)) return;
    const identity = identityOf(folder);
    const watcher = watch(folder, (event, name) => {
      if (name === null || isSource(name)) this.changed();
      if (event !== 'rename' || name === null) return;
      if (isWatched(name)) this.#check(join(folder, name));
      else if (name === 'generated' && !existsSync(join(folder, name))) this.changed();
    });
    watcher.on('error', () => this.close(folder));
    this.#watched.set(folder, { watcher, identity });
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && isWatched(entry.name)) this.open(join(folder, entry.name));
  }

  /** Closes the watchers of a folder and of all in it; by default all. */
  close(folder = ''): void {
    for (const [path, { watcher }] of this.#watched) {
      if (folder !== '' && path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      this.#watched.delete(path);
    }
  }

  /** A new folder may already contain sources, and a removed one may have contained some. */
  #check(path: string): void {
    const identity = identityOf(path);
    if (identity === this.#watched.get(path)?.identity) return;
    this.close(path);
    if (identity !== undefined) this.#openNew(path);
    this.changed();
  }

  #openNew(folder: string): void {
    try {
      this.open(folder);
    } catch {
      // Removed again before it was read.
      this.close(folder);
    }
  }
}

/** The inode number alone may be reused by the next folder. */
function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true ? `${found.ino} ${found.birthtimeMs}` : undefined;
}

const isSource = (name: string): boolean => /\.(?:[cm]?ts|sql)$|^(?:tsconfig.*|package)\.json$/.test(name);

const isWatched = (name: string): boolean =>
  !name.startsWith('.') && !['generated', 'node_modules', 'dist'].includes(name);
