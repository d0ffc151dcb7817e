import type { Registry } from '../../../endpoints/service-definition.js';

/** The types of a generated schema that read and watch perspectives. */
const reads = /^type (?:Query|Subscription) \{\n.*?\n\}$/gms;

/** The commands of a service alone: nothing happens after them, and its GraphQL schema reads and watches nothing. */
export const commandsAlone = (registry: Registry): Registry => ({
  ...registry,
  schema: `${registry.schema?.replaceAll(reads, '') ?? ''}\ntype Query {\n  service: String!\n}\n`,
  perspectives: [],
  processes: [],
  reactions: [],
  schedules: [],
});
