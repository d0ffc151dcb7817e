import type { ts } from '../compiler.js';
import type { NamedType, TypeModel } from '../model/service-model.js';
import type { Limits } from './limits.js';
import type { Reading } from './reading.js';

/** The location of a type: for messages, and for the names of anonymous types. */
export interface TypeSite {
  /** In the service's own sources, for messages. */
  readonly node: ts.Node;
  /** The declaration itself, possibly in a library: the same for every use. */
  readonly identity: ts.Node;
  /** `CreateOrder.lineItems` */
  readonly path: string;
  /** The name that an anonymous type gets here. */
  readonly name: string;
}

/** What the parts of the type reader need from the whole. */
export interface TypeReadingContext extends Reading {
  /** Reports a mistake; returns a placeholder type. */
  refuse(site: TypeSite, what: string): TypeModel;
  read(type: ts.Type, site: TypeSite, limits?: Limits): TypeModel;
  readNamed(type: ts.Type, site: TypeSite): string;
  addNamed(type: ts.Type, site: TypeSite, make: (name: string) => NamedType['type']): TypeModel;
}

/** A name that a type uses. */
export interface NameClaim {
  readonly name: string;
  readonly identity: ts.Node;
  readonly declaration: ts.Node;
  /** Where the type was found. */
  readonly node: ts.Node;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
