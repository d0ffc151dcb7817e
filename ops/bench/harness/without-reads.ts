import type { Registry } from '../../../endpoints/service-definition.js';

/** The types of a generated schema that read and watch perspectives. */
const reads = /^type (?:Query|Subscription) \{\n.*?\n\}$/gms;

/** A service without read models, and without the fields of its GraphQL schema that read or watch them. */
export const withoutReads = (registry: Registry): Registry => ({
  ...registry,
  schema: `${registry.schema?.replaceAll(reads, '') ?? ''}\ntype Query {\n  service: String!\n}\n`,
  perspectives: [],
});
