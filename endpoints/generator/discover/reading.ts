import type { SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { NamedType, TypeModel } from '../model.js';
import type { Limits } from './limits.js';

/** Where a type stands: for messages, and for the names of types that have none of their own. */
export interface Place {
  readonly node: ts.Node;
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
  read(type: ts.Type, place: Place, limits?: Limits): TypeModel;
  readNamed(type: ts.Type, place: Place): string;
  addNamed(type: ts.Type, place: Place, make: (name: string) => NamedType['type']): TypeModel;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
