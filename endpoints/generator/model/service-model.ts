import type { FormatName } from '../../../contracts/formats.js';
import type { ColumnType } from '../../../contracts/perspective.js';

/** The generator's model of a service: plain data, so that every emitter is a pure function of it. */
export interface ServiceModel {
  /** Sorted by name, like everything here. */
  readonly commands: readonly CommandModel[];
  readonly receptors: readonly ReceptorModel[];
  readonly events: readonly EventModel[];
  readonly perspectives: readonly PerspectiveModel[];
  readonly deciders: readonly DeciderModel[];
  readonly effects: readonly ReceptorModel[];
  readonly reactions: readonly ConstructedModel[];
  readonly processes: readonly ProcessModel[];
  readonly schedules: readonly ConstructedModel[];
  readonly routes: readonly OwnRouteModel[];
  /** Constants made by `webhookSender`. */
  readonly webhooks: readonly WebhooksModel[];
  /** The names of the feature flags that the sources use. */
  readonly flags: readonly string[];
  /** Every named type that commands, requests, results, events and readable perspectives reach. */
  readonly types: ReadonlyMap<string, NamedType>;
  /** The dependencies of endpoints, receptors and perspectives, by parameter name. */
  readonly dependencies: readonly DependencyModel[];
  /**
   * The folder that must contain all sources, relative to the root of the service, when it is not the root itself.
   */
  readonly sourceRoot?: string;
}

/** An exported declaration: its name and its source file, relative to the root of the service, with `/`, without `.ts`. */
export interface Exported {
  readonly name: string;
  readonly file: string;
}

export interface CommandModel extends Exported {
  readonly restRoute: string | null;
  readonly graphQLMutation: string | null;
  /** The custom request class, when there is one; its fields are in `types` under its name. */
  readonly request: Exported | null;
  /** null: the command has no result. */
  readonly result: TypeModel | null;
  /** The result's declared name, or `<CommandName>Result`. */
  readonly resultName: string;
  readonly description: string | undefined;
  /** The user's own subclass of the generated endpoint. */
  readonly endpoint: ConstructedModel | null;
  /** `public`, `authenticated` or `resource:action`, when it is declared. */
  readonly permission?: string | undefined;
  /** Set when it is a tool of agents. */
  readonly agent?: AgentModel;
}

/** A constant that `ownRoute` returned. */
export interface OwnRouteModel extends Exported, Pick<CommandModel, 'description' | 'permission'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/parcels/:id/scan` */
  readonly path: string;
  /** The name of the request's type; null: it takes nothing. */
  readonly request: string | null;
  readonly result: TypeModel | null;
  readonly resultName: string;
}

/** A command with neither route nor mutation has no endpoint: it is dispatched locally. */
export const hasEndpoint = ({ restRoute, graphQLMutation }: CommandModel): boolean =>
  restRoute !== null || graphQLMutation !== null;

export const inNameOrder = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] =>
  [...list].sort((a, b) => (a.name < b.name ? -1 : 1));

/** A class that the registry constructs. */
export interface ConstructedModel extends Exported {
  /** Names of its constructor's parameters; `dispatcher` is the dispatcher. */
  readonly parameters: readonly string[];
}

export interface ReceptorModel extends ConstructedModel {
  /** Name of the command it handles. */
  readonly command: string;
}

export interface DeciderModel extends ConstructedModel {
  /** The names of its commands, by their keys in it. */
  readonly commands: Readonly<Record<string, string>>;
}

export interface PerspectiveModel extends ConstructedModel {
  /** Its queries, when it has a route. */
  readonly query: QueryModel | null;
}

/** What `agent` says, on a command or a perspective. */
export interface AgentModel {
  readonly name?: string;
  readonly destructive?: boolean;
  readonly perMinute?: number;
  /** What a person needs who must agree, as `resource:action`. */
  readonly approval?: string;
  readonly fields?: readonly string[];
  readonly rows?: number;
}

export interface QueryModel {
  readonly route: string;
  readonly row: TypeModel;
  /** The columns for filters and sorting. */
  readonly columns: readonly ColumnModel[];
  readonly permission?: string | undefined;
  readonly description?: string | undefined;
  /** Set when agents read it with tools. */
  readonly agent?: AgentModel;
}

export interface ProcessModel extends ConstructedModel {
  /** When it has a route. */
  readonly visible: VisibleModel | null;
}

/** What callers see of a process. */
export interface VisibleModel {
  readonly route: string;
  readonly permission?: string | undefined;
  readonly description?: string | undefined;
  /** The name of the type that is answered. */
  readonly instance: string;
  /** The name of the type of its states; null: they are not known. */
  readonly state: string | null;
  /** The names of the commands that start an instance. */
  readonly startedBy: readonly string[];
}

export interface WebhooksModel extends Exported {
  readonly published: readonly PublishedModel[];
}

/** What is delivered under a type. */
export interface PublishedModel {
  readonly type: string;
  /** The name of the event. */
  readonly event: string;
  readonly data: TypeModel;
}

export interface ColumnModel {
  readonly name: string;
  readonly type: ColumnType;
}

export interface EventModel extends Exported {
  /** Its `static version`, else 1. */
  readonly version: number;
  readonly description: string | undefined;
}

export interface DependencyModel {
  readonly name: string;
  /** The type as written, and its imports. */
  readonly type: string;
  readonly imports: readonly TypeImport[];
}

export interface TypeImport {
  readonly name: string;
  /** A package, or a file relative to the root of the service without `.ts`. */
  readonly from: { readonly package: string } | { readonly file: string };
}

/** Named types as an emitter looks them up. */
export interface NamedTypes {
  get(name: string): NamedType | undefined;
}

export interface WithTypes {
  readonly types: NamedTypes;
}

/** A type with a name of its own: shared, and possibly recursive. */
export interface NamedType {
  readonly name: string;
  readonly type: ObjectType | EnumType | UnionType;
  readonly description: string | undefined;
  /** Where the declaration can be imported from; undefined when it is anonymous or not exported. */
  readonly declared: Exported | undefined;
  /** A class is constructed with `new` and keeps its defaults; anything else is an object literal. */
  readonly isClass: boolean;
}

export type TypeModel =
  | { readonly kind: 'text'; readonly limits: TextLimits }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'int'; readonly limits: NumberLimits }
  | { readonly kind: 'long'; readonly limits: NumberLimits }
  | { readonly kind: 'number'; readonly limits: NumberLimits }
  | { readonly kind: 'decimal'; readonly limits: DecimalLimits }
  | { readonly kind: 'timestamp' }
  | { readonly kind: 'duration' }
  /** `only`: the literal `true` or `false`. */
  | { readonly kind: 'boolean'; readonly only?: boolean }
  /** Any JSON value. */
  | { readonly kind: 'json' }
  | { readonly kind: 'array'; readonly item: TypeModel; readonly limits: ArrayLimits }
  | { readonly kind: 'map'; readonly value: TypeModel }
  | { readonly kind: 'nullable'; readonly inner: TypeModel }
  /** An object, enum or union in `types`. */
  | { readonly kind: 'ref'; readonly name: string };

export interface ObjectType {
  readonly kind: 'object';
  readonly properties: readonly PropertyModel[];
}

/** One or more string literals, in declaration order. */
export interface EnumType {
  readonly kind: 'enum';
  readonly values: readonly string[];
}

/** Objects that one string-literal property discriminates. */
export interface UnionType {
  readonly kind: 'union';
  readonly discriminator: string;
  readonly variants: readonly { readonly value: string; readonly name: string }[];
}

export interface PropertyModel {
  readonly name: string;
  readonly type: TypeModel;
  readonly required: boolean;
  /** Its type includes `undefined`: without a `?`, the key is present anyway. */
  readonly saysUndefined?: 'with ?' | 'without ?';
  /** A JSON value; the class's own initializer sets it. */
  readonly default: { readonly value: unknown } | undefined;
  /** Replaced by "[redacted]" in audits. */
  readonly sensitive: boolean;
  /** The field with the id of the subject whose key encrypts the value. */
  readonly subject?: string;
  readonly description: string | undefined;
}

export interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: FormatName;
}

export interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface DecimalLimits extends NumberLimits {
  readonly maxDigits?: number;
}

export interface ArrayLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}
