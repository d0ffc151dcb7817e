import type { Registry } from '../../../endpoints/service-definition.js';

/** The types of a generated schema that read and watch perspectives. */
const reads = /^type (?:Query|Subscription) \{\n.*?\n\}$/gms;

/** The commands of a service alone: nothing happens after them, and its GraphQL schema reads and watches nothing. */
export const commandsAlone = (registry: Registry): Registry => ({
  ...registry,
  ...(registry.tools === undefined ? {} : { tools: toolsAlone(registry.tools) }),
  schema: `${registry.schema?.replaceAll(reads, '') ?? ''}\ntype Query {\n  service: String!\n}\n`,
  perspectives: [],
  processes: [],
  reactions: [],
  schedules: [],
});

/** The tools that send commands, as often as a bench calls them. */
function toolsAlone(tools: string): string {
  const entries = JSON.parse(tools) as readonly { readonly command?: string; readonly perMinute?: number }[];
  return JSON.stringify(
    entries.filter(({ command }) => command !== undefined).map((entry) => ({ ...entry, perMinute: 1e9 })),
  );
}
