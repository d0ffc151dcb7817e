import { Problem } from '../../../contracts/problems.js';
import type { NamedType, TypeModel, WithTypes } from '../model/service-model.js';
import { filesOf } from '../model/generated-paths.js';
import { Imports } from './imports.js';
import { namedType } from '../model/reachable-types.js';
import { indented, key, quoted } from './source-text.js';
import { absence } from '../model/type-text.js';

type Lists = 'filled' | 'read';

/** What a function of the emitted module needs at the top of the module. */
export interface Scope {
  readonly model: WithTypes;
  /** A function of the `codec` module. */
  helper(name: string): string;
  /** A value that is created once, when the module is loaded; equal ones are shared. */
  constant(noun: string, text: string): string;
  /** The class itself, to construct it. */
  classOf(name: string): string;
  /** The type for an annotation: imported, or written out when its declaration cannot be imported. */
  typeName(name: string): string;
  typeText(type: TypeModel, lists: Lists): string;
}

/** Collects what is used, for the top of the module. */
export class CodecScope implements Scope {
  readonly #helpers = new Set<string>();
  readonly #imports: Imports;
  readonly #locals = new Map<string, string[]>();
  readonly #constants = new Map<string, string>();

  constructor(
    readonly model: WithTypes & { readonly sourceRoot?: string },
    /** Types that decoders fill; the lists of all others are readonly. */
    private readonly filled: ReadonlySet<string>,
  ) {
    this.#imports = new Imports(filesOf(model).codecs);
  }

  helper(name: string): string {
    this.#helpers.add(name);
    return name;
  }

  constant(noun: string, text: string): string {
    const known = this.#constants.get(text);
    if (known !== undefined) return known;
    const name = `${noun}${this.#constants.size + 1}`;
    this.#constants.set(text, name);
    return name;
  }

  classOf(name: string): string {
    const { declared } = namedType(this.model, name);
    if (declared === undefined)
      throw new Problem('invalid-setup', { detail: `The class ${name} must be exported.` });
    this.#imports.value(this.#imports.to(declared.file), importedAs(declared.name, name));
    return name;
  }

  typeName(name: string): string {
    const type = namedType(this.model, name);
    const { declared } = type;
    if (declared !== undefined)
      this.#imports.type(this.#imports.to(declared.file), importedAs(declared.name, name));
    else if (!this.#locals.has(name)) {
      this.#locals.set(name, []);
      this.#locals.set(name, this.#declaration(type));
    }
    return name;
  }

  typeText(type: TypeModel, lists: Lists): string {
    return typeTextIn(this, type, lists);
  }

  /** The lines above the functions. */
  top(): string[] {
    const helpers = [...this.#helpers].sort();
    this.#imports.value('svc-runtime/contracts', 'codec');
    return [
      ...this.#imports.text.trimEnd().split('\n'),
      ...(helpers.length === 0 ? [] : ['', `const { ${helpers.join(', ')} } = codec;`]),
      ...[...this.#locals].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lines]) => ['', ...lines]),
      ...(this.#constants.size === 0 ? [] : ['']),
      ...[...this.#constants].map(([text, name]) => `const ${name} = ${text};`),
    ];
  }

  #declaration({ name, type }: NamedType): string[] {
    if (type.kind === 'enum') return [`export type ${name} = ${type.values.map(quoted).join(' | ')};`];
    if (type.kind === 'union') {
      const variants = [...new Set(type.variants.map((variant) => this.typeName(variant.name)))];
      return [`export type ${name} = ${variants.join(' | ')};`];
    }
    const lists = this.filled.has(name) ? 'filled' : 'read';
    const properties = type.properties.map(
      (property) => `${key(property.name)}${absence(property, this.typeText(property.type, lists))};`,
    );
    return [`export interface ${name} {`, ...indented(properties), '}'];
  }
}

/** The model renames a second declaration of the same name. */
const importedAs = (declared: string, name: string): string =>
  declared === name ? name : `${declared} as ${name}`;

export function typeTextIn(scope: Pick<Scope, 'typeName'>, type: TypeModel, lists: Lists): string {
  switch (type.kind) {
    case 'int':
    case 'long':
    case 'number':
      return 'number';
    case 'boolean':
      return String(type.only ?? 'boolean');
    case 'json':
      return 'codec.Json';
    case 'array':
      return `${lists === 'read' ? 'Readonly' : ''}Array<${typeTextIn(scope, type.item, lists)}>`;
    case 'map':
      return `Record<string, ${typeTextIn(scope, type.value, lists)}${lists === 'read' ? ' | undefined' : ''}>`;
    case 'nullable':
      return `${typeTextIn(scope, type.inner, lists)} | null`;
    case 'ref':
      return scope.typeName(type.name);
    default:
      return 'string';
  }
}
