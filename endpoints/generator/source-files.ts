import { statSync } from 'node:fs';
import { posix } from 'node:path';
import { ts, type Version } from './typescript.js';

/** An import specifier, and the file it resolves to. */
export interface Import {
  readonly specifier: string;
  readonly to: string | undefined;
}

interface Known {
  readonly file: ts.SourceFile;
  readonly stamp: string;
  /** Unchanged for so long that another write would change its stamp. */
  readonly isSettled: boolean;
}

/** The parsed files below a folder and their imports; a file keeps its identity until its text changes. */
export class SourceFiles {
  readonly #known = new Map<string, Known>();
  readonly #imports = new Map<string, readonly Import[]>();

  get(name: string): ts.SourceFile | undefined {
    return this.#known.get(name)?.file;
  }

  /** The known file, or a file read now; undefined when it cannot be read. */
  open(name: string, version: Version): ts.SourceFile | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known.file;
    const found = stampOf(name);
    const text = found === undefined ? undefined : textOf(name);
    if (found === undefined || text === undefined) return undefined;
    const file = ts.createSourceFile(name, text, version, true);
    this.#known.set(name, { file, ...found });
    return file;
  }

  imported(name: string, imports: readonly Import[]): void {
    this.#imports.set(name, imports);
  }

  /** Forgets every file whose text has changed, and returns their names. */
  refresh(): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const [name, known] of this.#known) {
      const found = stampOf(name);
      if (found !== undefined && known.isSettled && found.stamp === known.stamp) continue;
      if (found !== undefined && textOf(name) === known.file.text)
        this.#known.set(name, { ...known, ...found });
      else {
        changed.add(name);
        this.#known.delete(name);
        this.#imports.delete(name);
      }
    }
    return changed;
  }

  /** Those of the names that import one of the changed files, including themselves. */
  importersOf(names: readonly string[], changed: ReadonlySet<string>): readonly string[] {
    const importers = new Map<string, string[]>();
    for (const name of this.#known.keys()) {
      for (const to of this.#from(name)) {
        const others = importers.get(to);
        if (others === undefined) importers.set(to, [name]);
        else others.push(name);
      }
    }
    const reached = new Set(changed);
    for (const name of reached) for (const importer of importers.get(name) ?? []) reached.add(importer);
    return names.filter((name) => reached.has(name));
  }

  /** Files with an import that may resolve differently now that these files exist. */
  importersOfMissing(added: readonly string[]): readonly string[] {
    if (added.length === 0) return [];
    const stems = new Set(added.flatMap((name) => [stem(name), stem(posix.dirname(name))]));
    return [...this.#imports].flatMap(([name, imports]) =>
      imports.some(({ specifier, to }) => to === undefined || stems.has(stem(specifier))) ? [name] : [],
    );
  }

  /** The files in the compiler's order: imports before importers. */
  ordered(names: readonly string[]): readonly string[] {
    const wanted = new Set(names);
    const seen = new Set<string>();
    const order: string[] = [];
    const visit = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const to of this.#from(name)) visit(to);
      if (wanted.has(name)) order.push(name);
    };
    for (const name of names) visit(name);
    return order;
  }

  #from(name: string): readonly string[] {
    const referenced = this.get(name)?.referencedFiles ?? [];
    return [
      ...referenced.map(({ fileName }) => posix.join(posix.dirname(name), fileName)),
      ...(this.#imports.get(name) ?? []).flatMap(({ to }) => (to === undefined ? [] : [to])),
    ];
  }
}

const stem = (name: string): string => posix.basename(name).replace(/\..*$/, '');

/** The file system's clock may have a resolution of some milliseconds. */
const settlesAfterMs = 100;

function stampOf(name: string): Pick<Known, 'stamp' | 'isSettled'> | undefined {
  const found = statSync(name, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  const { mtimeMs, ctimeMs, size, ino } = found;
  return {
    stamp: `${mtimeMs} ${ctimeMs} ${size} ${ino}`,
    isSettled: Date.now() - Math.max(mtimeMs, ctimeMs) > settlesAfterMs,
  };
}

const textOf = (name: string): string | undefined => ts.sys.readFile(name);
