import type { SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { NamedType, TypeModel } from '../model/model.js';
import type { Limits } from './limits.js';

/** Where a type stands: for messages, and for the names of types that have none of their own. */
export interface TypeSite {
  /** In the service's own sources, where messages point. */
  readonly node: ts.Node;
  /** The declaration itself, which may be a library's: one for all who come here. */
  readonly identity: ts.Node;
  /** `CreateOrder.lineItems` */
  readonly path: string;
  /** The name an anonymous type gets here. */
  readonly name: string;
}

/** What the parts of the type reader ask of the whole. */
export interface TypeReading {
  readonly tree: SourceTree;
  readonly checker: ts.TypeChecker;
  readonly diagnostics: Diagnostics;
  /** A mistake at this place; what comes back stands for it. */
  refuse(place: TypeSite, what: string): TypeModel;
  read(type: ts.Type, place: TypeSite, limits?: Limits): TypeModel;
  readNamed(type: ts.Type, place: TypeSite): string;
  addNamed(type: ts.Type, place: TypeSite, make: (name: string) => NamedType['type']): TypeModel;
}

/** A name that a type takes for itself. */
export interface NameClaim {
  readonly name: string;
  readonly identity: ts.Node;
  readonly declaration: ts.Node;
  /** Where it was come by. */
  readonly node: ts.Node;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
