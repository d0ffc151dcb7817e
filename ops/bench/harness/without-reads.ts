import { Kind, parse, print } from 'graphql';
import type { Registry } from '../../../endpoints/service-definition.js';

/** A service without read models, and without the fields of its GraphQL schema that read or watch them. */
export function withoutReads(registry: Registry): Registry {
  const { kind, definitions } = parse(registry.schema ?? '');
  const left = definitions.filter(
    (one) => one.kind !== Kind.OBJECT_TYPE_DEFINITION || !['Query', 'Subscription'].includes(one.name.value),
  );
  const schema = `${print({ kind, definitions: left })}\ntype Query { service: String! }\n`;
  return { ...registry, schema, perspectives: [] };
}
