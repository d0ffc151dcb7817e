import { ts } from '../compiler.js';
import type { NamedType, TypeModel } from '../model/service-model.js';
import { type Limits, limited, noLimits } from './limits.js';
import { readProperties } from './properties.js';
import { Reading } from './reading.js';
import { capital, type NameClaim, type TypeSite, type TypeReadingContext } from './type-reading-context.js';
import { scalarOf, unsupported } from './scalar-types.js';
import { isReference, isThis } from './type-identity.js';
import { documentationOf, exportedFrom, isOurs } from './symbols.js';
import { argumentText, literalsOf, readDiscriminated, stringLiterals } from './unions.js';

const maxDepth = 40;

const isJsonAlias = (type: ts.Type | undefined): boolean => isOurs(type?.aliasSymbol, 'scalars', 'Json');

/** With the `undefined` of an optional property the union has no name, but its arrays and objects still do. */
function isJson(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (isJsonAlias(type)) return true;
  if (!type.isUnion()) return false;
  const { String, Number, Null } = ts.TypeFlags;
  const has = (flag: ts.TypeFlags): boolean => type.types.some(({ flags }) => (flags & flag) !== 0);
  const isListOfJson = (member: ts.Type): boolean =>
    checker.isArrayType(member) && isJsonAlias(checker.getTypeArguments(member as ts.TypeReference)[0]);
  return has(String) && has(Number) && has(Null) && type.types.some(isListOfJson);
}

/** Reads the checker's types into the model; named types are read once and referred to. */
export class TypeReader extends Reading implements TypeReadingContext {
  readonly types = new Map<string, NamedType>();
  readonly #names = new Map<ts.Type, string>();
  #claims: NameClaim[] = [];
  #depth = 0;

  /** The names claimed since the last call. */
  claims(): readonly NameClaim[] {
    const claims = this.#claims;
    this.#claims = [];
    return claims;
  }

  /** Reads a type without `undefined`, which belongs to the property. */
  read(type: ts.Type, site: TypeSite, limits: Limits = noLimits): TypeModel {
    if (isJson(type, this.checker)) return { kind: 'json' };
    if (!type.isUnion() || isBoolean(type)) return this.#readOne(type, site, limits);
    const members = type.types.filter((member) => (member.flags & ts.TypeFlags.Undefined) === 0);
    const present = members.filter((member) => (member.flags & ts.TypeFlags.Null) === 0);
    const inner = this.#readUnion(type, present, site, limits);
    return present.length < members.length ? { kind: 'nullable', inner } : inner;
  }

  /** The fields of a class or interface, under its own name. */
  readNamed(type: ts.Type, site: TypeSite): string {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const declaration = symbol?.declarations?.[0];
    const own = symbol === undefined || symbol.name.startsWith('__') ? undefined : symbol.name;
    const name = own === undefined ? site.name : own + this.#argumentNames(type, site);
    this.#claim(type, name, own === undefined ? undefined : declaration, site);
    const isClass = declaration !== undefined && ts.isClassDeclaration(declaration);
    this.#depth++;
    const properties = readProperties(this, type, site, name);
    this.#depth--;
    this.types.set(name, {
      name,
      type: { kind: 'object', properties },
      description: documentationOf(symbol, this.checker),
      declared: own === name && declaration !== undefined ? exportedFrom(declaration, this.tree) : undefined,
      isClass,
    });
    return name;
  }

  /** An enum or a union under its alias, or under a name derived from its location. */
  addNamed(type: ts.Type, site: TypeSite, make: (name: string) => NamedType['type']): TypeModel {
    const declaration = type.aliasSymbol?.declarations?.[0];
    const name = type.aliasSymbol?.name ?? site.name;
    const known = this.types.get(name);
    if (known === undefined || this.#names.get(type) !== name) {
      this.#claim(type, name, declaration, site);
      this.types.set(name, {
        name,
        type: make(name),
        description: documentationOf(type.aliasSymbol, this.checker),
        declared: declaration === undefined ? undefined : exportedFrom(declaration, this.tree),
        isClass: false,
      });
    }
    return { kind: 'ref', name };
  }

  /** A type that no source declares, under a name of its own. */
  addDerived(name: string, declaration: ts.Node, type: NamedType['type']): void {
    this.#claims.push({ name, identity: declaration, declaration, node: declaration });
    this.types.set(name, { name, type, description: undefined, declared: undefined, isClass: false });
  }

  refuse(site: TypeSite, what: string): TypeModel {
    this.error('SVC1015', site.node, `'${site.path}' ${what}`);
    return { kind: 'json' };
  }

  #readOne(type: ts.Type, site: TypeSite, limits: Limits): TypeModel {
    const scalar = scalarOf(type, this.checker);
    if (scalar !== undefined) return limited(scalar, limits);
    if (type.isStringLiteral())
      return this.addNamed(type, site, () => ({ kind: 'enum', values: [type.value] }));
    if (this.checker.isArrayType(type)) return this.#readArray(type, site, limits);
    const reason = unsupported(type, this.checker);
    if (reason !== undefined) return this.refuse(site, reason);
    if (this.#depth > maxDepth) {
      this.error('SVC1022', site.node, `'${site.path}' is infinitely deep; end its type somewhere`);
      return { kind: 'json' };
    }
    const index = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index !== undefined && this.checker.getPropertiesOfType(type).length === 0) {
      const at = { ...site, path: `${site.path}[…]`, name: `${site.name}Value` };
      return { kind: 'map', value: this.read(index.type, at, limits) };
    }
    return { kind: 'ref', name: this.readNamed(type, site) };
  }

  #readArray(type: ts.Type, site: TypeSite, limits: Limits): TypeModel {
    const [element] = this.checker.getTypeArguments(type as ts.TypeReference);
    if (element === undefined) return this.refuse(site, 'is an array without an item type');
    if (mayBeUndefined(element)) return this.refuse(site, 'has items that may be undefined; use null');
    const item = this.read(element, { ...site, path: `${site.path}[]`, name: `${site.name}Item` }, limits);
    return { kind: 'array', item, limits: limits.array };
  }

  #readUnion(type: ts.UnionType, present: readonly ts.Type[], site: TypeSite, limits: Limits): TypeModel {
    const [only] = present;
    if (only !== undefined && present.length === 1) return this.#readOne(only, site, limits);
    if (present.every(isBoolean)) return { kind: 'boolean' };
    const literals = stringLiterals(present);
    if (literals !== undefined) {
      const values = literalsOf(literals, type, site.node);
      return this.addNamed(type, site, () => ({ kind: 'enum', values }));
    }
    if (present.every(isNumberLiteral)) return this.refuse(site, numberAdvice(present));
    return readDiscriminated(this, type, present, site) ?? this.refuse(site, unionAdvice);
  }

  #argumentNames(type: ts.Type, site: TypeSite): string {
    const args = type.aliasTypeArguments ?? (isReference(type) ? this.checker.getTypeArguments(type) : []);
    const { thisType } = type as { thisType?: ts.Type };
    const own = args.filter((argument) => argument !== thisType && !isThis(argument));
    return own
      .map((argument) => capital(argumentText(argument, site.node, this.checker).replaceAll(/\W+/g, '')))
      .join('');
  }

  #claim(type: ts.Type, name: string, declaration: ts.Node | undefined, { node, identity }: TypeSite): void {
    this.#claims.push({ name, identity: declaration ?? identity, declaration: declaration ?? node, node });
    this.#names.set(type, name);
  }
}

export const mayBeUndefined = (type: ts.Type): boolean =>
  type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.VoidLike) !== 0);

const unionAdvice =
  'is a union without a discriminator; give each member a string-literal property of the same name';

const numberAdvice = (types: readonly ts.Type[]): string =>
  types.some(({ flags }) => (flags & ts.TypeFlags.EnumLiteral) !== 0)
    ? "is an enum of numbers, which change meaning when a member moves; use string values, as in Red = 'red'"
    : 'is a union of numbers; use Int with @minimum and @maximum, or strings';

const isNumberLiteral = (type: ts.Type): boolean => type.isNumberLiteral();
const isBoolean = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.BooleanLike) !== 0;
