import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { limitErrors, limitReads, limits } from './limits.js';
import { Lru } from '../../runtime/lang/lru.js';

const cachedDocuments = 1_000;
const cachedCharacters = 1_048_576;

/** A document to execute, or its errors. */
type Checked<T> = { readonly valid: T } | { readonly errors: readonly GraphQLError[] };

/** Parses and validates each document once; `prepare` adds what else is derived from a valid one. */
export function documents<T>(
  schema: GraphQLSchema,
  isDevelopment: boolean,
  prepare: (document: DocumentNode) => T,
): { readonly size: number; get(text: string): Checked<T> } {
  const cache = new Lru<{ readonly valid: T }>(cachedDocuments, cachedCharacters);
  const rules = [...specifiedRules, limitReads, ...(isDevelopment ? [] : [NoSchemaIntrospectionCustomRule])];
  const check = (text: string): Checked<DocumentNode> => {
    if (text.length > limits.characters)
      return failed(`The document has more than ${limits.characters} characters.`);
    const document = parsed(text);
    if (document instanceof GraphQLError) return { errors: [document] };
    const tooMuch = limitErrors(document);
    if (tooMuch.length > 0) return { errors: tooMuch };
    const errors = validate(schema, document, rules, { maxErrors: 20, hideSuggestions: !isDevelopment });
    return errors.length > 0 ? { errors } : { valid: document };
  };
  return {
    get size() {
      return cache.size;
    },
    get: (text) => {
      const known = cache.get(text);
      if (known !== undefined) return known;
      const checked = check(text);
      if ('errors' in checked) return checked;
      const entry = { valid: prepare(checked.valid) };
      cache.set(text, entry);
      return entry;
    },
  };
}

function parsed(text: string): DocumentNode | GraphQLError {
  try {
    return parse(text, { maxTokens: limits.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

const failed = (message: string) => ({ errors: [new GraphQLError(message)] });
