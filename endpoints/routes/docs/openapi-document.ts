/** The parts of an OpenAPI document that the page reads. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** Each entry is one way to prove who is asking. */
  readonly security?: readonly object[];
  readonly 'x-permission'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface Operation extends Described {
  readonly path: string;
  readonly method: string;
}

export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Reference {
  readonly $ref?: string;
}

export interface Parameter extends Reference {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface ResponseObject extends Reference {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Partial<Content>>>;
}

export interface Schema extends Reference {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

let api: ApiDocument | undefined;

export async function readDocument(): Promise<ApiDocument> {
  const response = await fetch('openapi.json');
  const document = (await response.json()) as ApiDocument;
  api = document;
  return document;
}

export const operationsOf = ({ paths }: ApiDocument): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  );

/** The parameters in the URL, without headers, which are the same for all operations. */
export const addressParametersOf = ({ parameters = [] }: Operation): readonly Parameter[] =>
  parameters
    .map((parameter) => resolve(parameter))
    .filter(({ in: location }) => location === 'path' || location === 'query');

/** Resolves a reference; its sibling members take precedence. */
export function resolve<T extends Reference>(node: T): T {
  const { $ref, ...others } = node;
  if ($ref === undefined) return node;
  const steps = $ref.slice(2).split('/');
  const target = steps.reduce<unknown>(
    (at, step) => (at as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    api,
  );
  return { ...resolve(target as T), ...others };
}

export const nameOf = ({ $ref }: Reference): string | undefined => $ref?.split('/').at(-1);
