import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { getLibFiles, libFolderInMemoryPath, ts } from '@ts-morph/common';
import { Problem } from '../../contracts/problems.js';

export { ts };

/** The user's sources as the TypeScript checker sees them. */
export interface SourceTree {
  readonly root: string;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** Sources that may declare something: no tests, nothing generated. */
  readonly files: readonly ts.SourceFile[];
}

/** Opens the folder of a tsconfig.json; a tree opened again reuses every file that has not changed. */
export class Compiler {
  readonly root: string;
  readonly #files = new Map<string, { readonly text: string; readonly file: ts.SourceFile }>();
  #program: ts.Program | undefined;

  constructor(dir: string) {
    this.root = resolve(dir);
  }

  read(): SourceTree {
    const { fileNames, options } = this.#config();
    const rootNames = fileNames.filter((name) => isSource(relative(this.root, name)));
    const host = this.#host(options);
    this.#program = ts.createProgram({
      rootNames,
      options,
      host,
      ...(this.#program === undefined ? {} : { oldProgram: this.#program }),
    });
    const own = new Set(rootNames.map((name) => name.split(sep).join('/')));
    const files = this.#program.getSourceFiles().filter((file) => own.has(file.fileName));
    return { root: this.root, program: this.#program, checker: this.#program.getTypeChecker(), files };
  }

  #config(): ts.ParsedCommandLine {
    const path = join(this.root, 'tsconfig.json');
    if (!ts.sys.fileExists(path)) {
      throw new Problem('invalid-setup', {
        detail: `${path} does not exist; the generator reads the sources it names.`,
      });
    }
    const { config, error } = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
    if (error !== undefined) {
      throw new Problem('invalid-setup', {
        detail: `${path}: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`,
      });
    }
    const parsed = ts.parseJsonConfigFileContent(config, ts.sys, this.root);
    const { tsBuildInfoFile: _, ...options } = parsed.options;
    return { ...parsed, options: { ...options, types: [], noEmit: true, incremental: false } };
  }

  #host(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options);
    const resolutions = ts.createModuleResolutionCache(this.root, (name) => name, options);
    return {
      ...host,
      getSourceFile: (name, version) => this.#sourceFile(host, name, version),
      getDefaultLibLocation: () => libFolderInMemoryPath,
      getDefaultLibFileName: (wanted) => `${libFolderInMemoryPath}/${ts.getDefaultLibFileName(wanted)}`,
      fileExists: (name) => libraries.has(name) || host.fileExists(name),
      resolveModuleNameLiterals: (literals, containing, redirected, compilerOptions, file) =>
        literals.map((literal) => {
          if (isGenerated(literal.text) || this.#isBehindUs(literal.text, containing))
            return { resolvedModule: undefined };
          const mode = ts.getModeForUsageLocation(file, literal, compilerOptions);
          return ts.resolveModuleName(
            literal.text,
            containing,
            compilerOptions,
            host,
            resolutions,
            redirected,
            mode,
          );
        }),
    };
  }

  /** Our contracts say everything the generator asks; the libraries behind our other folders would only cost time. */
  #isBehindUs(specifier: string, containing: string): boolean {
    return !specifier.startsWith('.') && !this.#isOwn(containing) && packageOf(containing) === 'svc-runtime';
  }

  #isOwn(name: string): boolean {
    return name.startsWith(this.root.split(sep).join('/'));
  }

  #sourceFile(
    host: ts.CompilerHost,
    name: string,
    version: ts.ScriptTarget | ts.CreateSourceFileOptions,
  ): ts.SourceFile | undefined {
    const known = this.#files.get(name);
    if (known !== undefined && !this.#isOwn(name)) return known.file;
    const library = libraries.get(name);
    if (library !== undefined) return parsedLibrary(name, library, version);
    const text = host.readFile(name);
    if (text === undefined) return undefined;
    if (known?.text === text) return known.file;
    const file = ts.createSourceFile(name, text, version, true);
    this.#files.set(name, { text, file });
    return file;
  }
}

/** The language's own declarations come with the bundled compiler; nothing that a browser declares has a JSON form. */
const libraries = new Map(
  getLibFiles().map(({ fileName, text }) => [
    `${libFolderInMemoryPath}/${fileName}`,
    /^lib\.(?:dom|webworker|scripthost)/.test(fileName) ? '' : text,
  ]),
);

const parsed = new Map<string, ts.SourceFile>();

/** Parsed once for all trees: they are half of what a small service costs. */
function parsedLibrary(
  name: string,
  text: string,
  version: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.SourceFile {
  const key = `${JSON.stringify(version)} ${name}`;
  const known = parsed.get(key) ?? ts.createSourceFile(name, text, version, true);
  parsed.set(key, known);
  return known;
}

/** What was generated before must not change what is generated now. */
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
