import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { isLibrary, libraryFolder, openLibrary, parseOnce, ts, type Version } from './typescript.js';
import { type Import, SourceFiles } from './source-files.js';

export { ts };

/** The user's sources as the TypeScript checker sees them. */
export interface SourceTree {
  readonly root: string;
  /** The folder in it that must contain all sources, from `rootDir`. */
  readonly sourceRoot: string;
  /** Sources that may contain declarations: no tests, nothing generated. */
  readonly files: readonly ts.SourceFile[];
  readonly unreadable: readonly string[];
  /** Files that changed since the last read, in themselves or in their imports; all on the first read. */
  readonly changed: ReadonlySet<ts.SourceFile>;
  /** The program of the changed files and their imports. */
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  owns(file: ts.SourceFile): boolean;
}

/** The compiler's code for a tree without sources, which is a tree without commands. */
const noInputs = 18003;

type Resolved = readonly ts.ResolvedModuleWithFailedLookupLocations[];

/** Opens the folder of a tsconfig.json; reading it again compiles only what has changed. */
export class Compiler {
  readonly root: string;
  #own = new SourceFiles();
  readonly #foreign = new Map<string, ts.SourceFile | undefined>();
  readonly #foreignImports = new Map<string, Resolved>();
  /** Files that others see without an import. */
  readonly #ambient = new Set<string>();
  #names: readonly string[] = [];
  #options = '';

  constructor(dir: string) {
    this.root = resolve(dir);
  }

  /** A rehearsal treats some file as changed. */
  read(isRehearsal = false): SourceTree {
    const { fileNames, options } = this.#config();
    const names = fileNames
      .filter((name) => isSource(relative(this.root, name)))
      .map((name) => name.split(sep).join('/'));
    const isNew = this.#options !== JSON.stringify(options);
    if (isNew) this.#forget();
    const touched = isNew ? new Set(names) : this.#touched(names);
    for (const name of isRehearsal ? names.slice(0, 1) : []) touched.add(name);
    this.#options = JSON.stringify(options);
    this.#names = names;
    return this.#compile(names, touched, options);
  }

  /** New, removed and changed files, and files with an unresolved import of one of them. */
  #touched(names: readonly string[]): Set<string> {
    const before = new Set(this.#names);
    const now = new Set(names);
    const added = names.filter((name) => !before.has(name) || this.#own.get(name) === undefined);
    const dropped = this.#names.filter((name) => !now.has(name));
    return new Set([...this.#own.refresh(), ...dropped, ...added, ...this.#own.importersOfMissing(added)]);
  }

  #forget(): void {
    this.#own = new SourceFiles();
    this.#foreignImports.clear();
    this.#ambient.clear();
  }

  #compile(names: readonly string[], touched: ReadonlySet<string>, options: ts.CompilerOptions): SourceTree {
    const wasAmbient = [...touched].filter((name) => this.#ambient.delete(name)).length > 0;
    const stale = wasAmbient ? names : this.#own.importersOf(names, touched);
    const rootNames = [...new Set([...stale, ...this.#ambient])];
    const program = ts.createProgram({ rootNames, options, host: this.#host(options) });
    const ambient = program.getSourceFiles().filter((file) => !isLibrary(file.fileName) && isAmbient(file));
    const isWider = ambient.some(({ fileName }) => touched.has(fileName));
    for (const { fileName } of ambient) this.#ambient.add(fileName);
    if (isWider && stale.length < names.length) return this.#compile(names, new Set(names), options);
    return this.#tree(names, stale, program);
  }

  #sourceRoot({ rootDir = this.root }: ts.CompilerOptions): string {
    const path = relative(this.root, rootDir).split(sep).join('/');
    return path.startsWith('..') ? '' : path;
  }

  #tree(names: readonly string[], stale: readonly string[], program: ts.Program): SourceTree {
    const own = new Set(names);
    const filesOf = (list: readonly string[]): readonly ts.SourceFile[] =>
      list.map((name) => this.#own.get(name)).filter((file) => file !== undefined);
    return {
      root: this.root,
      sourceRoot: this.#sourceRoot(program.getCompilerOptions()),
      files: filesOf(this.#own.ordered(names)),
      unreadable: names.filter((name) => this.#own.get(name) === undefined),
      changed: new Set(filesOf(stale)),
      program,
      checker: program.getTypeChecker(),
      owns: (file) => own.has(file.fileName),
    };
  }

  #config(): ts.ParsedCommandLine {
    const path = join(this.root, 'tsconfig.json');
    if (!ts.sys.fileExists(path)) {
      throw new Problem('invalid-setup', {
        detail: `${path} does not exist; the generator reads the sources it names.`,
      });
    }
    const { config, error } = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
    const parsed = ts.parseJsonConfigFileContent(config ?? {}, ts.sys, this.root);
    const wrong = error ?? parsed.errors.find(({ code }) => code !== noInputs);
    if (wrong !== undefined) {
      throw new Problem('invalid-setup', {
        detail: `${path}: ${ts.flattenDiagnosticMessageText(wrong.messageText, ' ')}`,
      });
    }
    const { tsBuildInfoFile: _, ...options } = parsed.options;
    return { ...parsed, options: { ...options, types: [], noEmit: true, incremental: false } };
  }

  #host(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options);
    const cache = ts.createModuleResolutionCache(this.root, (name) => name, options);
    return {
      ...host,
      getSourceFile: (name, version) => this.#sourceFile(host, name, version),
      getModuleResolutionCache: () => cache,
      getDefaultLibLocation: () => libraryFolder,
      getDefaultLibFileName: (wanted) => `${libraryFolder}/${ts.getDefaultLibFileName(wanted)}`,
      fileExists: (name) => isLibrary(name) || host.fileExists(name),
      resolveModuleNameLiterals: (literals, containing, redirected, compilerOptions, file) => {
        const resolved = (literal: ts.StringLiteralLike) => {
          if (isGenerated(literal.text) || this.#isOurDependency(literal.text, containing))
            return { resolvedModule: undefined };
          const mode = ts.getModeForUsageLocation(file, literal, compilerOptions);
          const { text } = literal;
          return ts.resolveModuleName(text, containing, compilerOptions, host, cache, redirected, mode);
        };
        return this.#resolved(literals, containing, resolved);
      },
    };
  }

  /** Files outside the folder are assumed not to change; files inside are recorded as imports. */
  #resolved(
    literals: readonly ts.StringLiteralLike[],
    containing: string,
    resolution: (literal: ts.StringLiteralLike) => ts.ResolvedModuleWithFailedLookupLocations,
  ): Resolved {
    const known = this.#foreignImports.get(containing);
    if (known !== undefined) return known;
    const all = literals.map((literal) => resolution(literal));
    if (!this.#isOwn(containing)) this.#foreignImports.set(containing, all);
    else this.#own.imported(containing, importsOf(literals, all));
    return all;
  }

  /**
   * Our contracts contain everything the generator asks for; the libraries behind our other folders would only cost
   * time.
   */
  #isOurDependency(specifier: string, containing: string): boolean {
    return !specifier.startsWith('.') && !this.#isOwn(containing) && packageOf(containing) === 'svc-runtime';
  }

  #isOwn(name: string): boolean {
    return name.startsWith(`${this.root.split(sep).join('/')}/`);
  }

  #sourceFile(host: ts.CompilerHost, name: string, version: Version): ts.SourceFile | undefined {
    if (this.#isOwn(name)) return this.#own.open(name, version);
    const known = this.#foreign.get(name) ?? openLibrary(name, version) ?? opened(host, name, version);
    this.#foreign.set(name, known);
    return known;
  }
}

const importsOf = (literals: readonly ts.StringLiteralLike[], resolved: Resolved): readonly Import[] =>
  literals
    .map(({ text }, index) => ({ specifier: text, to: resolved[index]?.resolvedModule?.resolvedFileName }))
    .filter(({ specifier }) => !isGenerated(specifier));

function opened(host: ts.CompilerHost, name: string, version: Version): ts.SourceFile | undefined {
  const text = host.readFile(name);
  if (text === undefined) return undefined;
  return isDeclaration(name)
    ? parseOnce(name, text, version)
    : ts.createSourceFile(name, text, version, true);
}

const isDeclaration = (name: string): boolean => /\.d\.[cm]?ts$/.test(name);

/** Whether other files may see its declarations without an import. */
const isAmbient = (file: ts.SourceFile): boolean =>
  !ts.isExternalModule(file) ||
  file.statements.some(
    (statement) =>
      ts.isModuleDeclaration(statement) &&
      (ts.isStringLiteral(statement.name) || (statement.flags & ts.NodeFlags.GlobalAugmentation) !== 0),
  );

/** Earlier output must not affect the new output. */
const isGenerated = (specifier: string): boolean =>
  specifier.startsWith('.') && /(?:^|\/)generated\//.test(specifier);

const isSource = (path: string): boolean =>
  !/(?:^|[\\/])(?:generated|node_modules|dist)[\\/]|\.(?:test|d)\.[cm]?ts$/.test(path);

const packages = new Map<string, string>();

/** The name of the package a file belongs to. */
export function packageOf(file: string): string {
  const folder = dirname(file);
  const known = packages.get(folder);
  if (known !== undefined) return known;
  const name = nameIn(folder) ?? (dirname(folder) === folder ? '' : packageOf(folder));
  packages.set(folder, name);
  return name;
}

function nameIn(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string }).name;
  } catch {
    return undefined;
  }
}
