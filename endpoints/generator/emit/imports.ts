import { specifier } from '../model/generated-paths.js';

interface Names {
  readonly values: Set<string>;
  readonly types: Set<string>;
}

/** Collects the imports of a generated file, and writes them in a fixed order. */
export class Imports {
  readonly #modules = new Map<string, Names>();
  readonly #specifiers = new Map<string, string>();

  /** `file` is the generated file, relative to the root of the service. */
  constructor(private readonly file: string) {}

  value(from: string, ...names: readonly string[]): void {
    for (const name of names) this.#namesOf(from).values.add(name);
  }

  type(from: string, ...names: readonly string[]): void {
    for (const name of names) this.#namesOf(from).types.add(name);
  }

  /** The specifier of another file of the service. */
  to(file: string): string {
    const known = this.#specifiers.get(file) ?? specifier(this.file, file);
    this.#specifiers.set(file, known);
    return known;
  }

  get text(): string {
    return [...this.#modules]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => line(from, names))
      .join('');
  }

  #namesOf(from: string): Names {
    const known = this.#modules.get(from);
    if (known !== undefined) return known;
    const names: Names = { values: new Set(), types: new Set() };
    this.#modules.set(from, names);
    return names;
  }
}

function line(from: string, { values, types }: Names): string {
  const onlyTypes = [...types].filter((name) => !values.has(name)).sort();
  const listed = [
    ...[...values].sort(),
    ...onlyTypes.map((name) => (values.size === 0 ? name : `type ${name}`)),
  ];
  return `import ${values.size === 0 ? 'type ' : ''}{ ${listed.join(', ')} } from '${from}';\n`;
}

/** The first line of every generated source. */
export const banner = '// Written by svc generate; changes here are lost.\n';
