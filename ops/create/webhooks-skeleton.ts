import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kebab } from '../../endpoints/generator/model/generated-paths.js';
import type { ImportedEvent } from './skeletons.js';

/** Its files but the sender are the same for every service. */
const example = fileURLToPath(new URL('../../../examples/helpdesk/webhooks/', import.meta.url));

/** `TicketOpened` is published as `ticket.opened`. */
const typeOf = (event: string): string => kebab(event).replace(/-(?=[^-]+$)/, '.');

/** The resource is what the event is about. */
const resourceOf = (event: string): string => kebab(event).replace(/-[^-]+$/, '');

const publishedLines = ({ name }: ImportedEvent): string => `  published(${name}, {
    type: '${typeOf(name)}',
    permission: Permission.read('${resourceOf(name)}'),
    of: ({ streamId }) => ({ id: streamId }),
  }),
`;

/** What a service publishes: the one file that is different for each. */
const senderText = (events: readonly ImportedEvent[]): string =>
  `import { Permission, published, webhookSender } from 'svc-runtime';
${events.map(({ name, from }) => `import { ${name} } from '${from}';\n`).join('')}
/** What customers may ask for. Nothing of an event leaves the service but what \`of\` returns. */
export const webhooks = webhookSender([
${events.map(publishedLines).join('')}]);
`;

/** Webhooks for the customers of a service, by file: what it publishes, and the commands and reads about them. */
export async function webhooksSkeleton(
  events: readonly ImportedEvent[],
): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(example)).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(example, name), 'utf8')] as const),
  );
  return { ...Object.fromEntries(texts), 'sender.ts': senderText(events) };
}

/** The classes in them that a service may have already. */
export const webhookClasses = [
  'CreateWebhook',
  'PublishWebhooks',
  'WebhookCreated',
  'WebhookDeliveries',
  'Webhooks',
];
