export type Keyword = 'query' | 'mutation' | 'subscription';

/** The parts of a schema that the page reads. */
export interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeRef | null;
}

interface Member {
  readonly name: string;
  readonly type?: TypeRef;
  readonly defaultValue?: string | null;
}

interface Input extends Member {
  readonly type: TypeRef;
}

export interface Field extends Input {
  readonly description: string | null;
  readonly args: readonly Input[];
}

export interface SchemaType {
  readonly kind: string;
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly Input[] | null;
  readonly inputFields: readonly Input[] | null;
  readonly enumValues: readonly Member[] | null;
  readonly possibleTypes: readonly Member[] | null;
}

interface RootType {
  readonly fields: readonly Field[];
}

export interface Introspected {
  readonly queryType: RootType;
  /** Null without commands. */
  readonly mutationType: RootType | null;
  /** Null without read models. */
  readonly subscriptionType: RootType | null;
  readonly types: readonly SchemaType[];
}

const typeParts =
  'fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }';

export const introspection = `{ schema: __schema {
  queryType { ...F } mutationType { ...F } subscriptionType { ...F }
  types { kind name description fields { name type { ...T } } inputFields { name defaultValue type { ...T } }
    enumValues { name } possibleTypes { name } }
} } fragment F on __Type { fields { name description args { name type { ...T } } type { ...T } } } ${typeParts}`;

/** A type as a document names it. */
export function typeText({ kind, name, ofType }: TypeRef): string {
  if (kind === 'NON_NULL' && ofType) return `${typeText(ofType)}!`;
  return kind === 'LIST' && ofType ? `[${typeText(ofType)}]` : (name ?? '');
}

export const membersOf = (type: SchemaType): readonly Member[] =>
  type.fields ?? type.inputFields ?? type.enumValues ?? type.possibleTypes ?? [];
