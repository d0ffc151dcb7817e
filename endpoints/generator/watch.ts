import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, sep } from 'node:path';

const settleMs = 15;

/** Calls back once per burst of changes to sources, never for what is generated or installed. Returns how to stop. */
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

/** Each folder has a watcher of its own: one for the whole tree would watch what is installed, too. */
class WatchedFolders {
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(private readonly changed: () => void) {}

  open(folder: string): void {
    if (this.#watchers.has(folder)) return;
    const watcher = watch(folder, (event, name) => {
      if (name === null || isSource(name)) this.changed();
      if (event === 'rename' && name !== null && isWatched(name)) this.#look(join(folder, name));
    });
    watcher.on('error', () => this.close(folder));
    this.#watchers.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && isWatched(entry.name)) this.open(join(folder, entry.name));
  }

  /** Of a folder and of all in it; of everything unless told otherwise. */
  close(folder = ''): void {
    for (const [path, watcher] of this.#watchers) {
      if (folder !== '' && path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }

  /** A folder that has come may hold sources already, and one that has gone may have held some. */
  #look(path: string): void {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder === this.#watchers.has(path)) return;
    if (isFolder) this.#openNew(path);
    else this.close(path);
    this.changed();
  }

  #openNew(folder: string): void {
    try {
      this.open(folder);
    } catch {
      // Gone again before it was read.
      this.close(folder);
    }
  }
}

const isSource = (name: string): boolean => /\.[cm]?ts$/.test(name);

const isWatched = (name: string): boolean =>
  !name.startsWith('.') && !['generated', 'node_modules', 'dist'].includes(name);
