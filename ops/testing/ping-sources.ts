import { runVerbInProcess } from './in-process-cli.js';
import { generate } from '../commands/generate.js';

/** `svc generate`, in this process. */
export const svc = (...args: readonly string[]) => runVerbInProcess(generate, args);

/** The source of a command. */
export const command = (name: string, more = '') => `
import { Command, CommandEndpoint, type Receptor, type Uuid } from 'svc-runtime';
export class ${name}Request { id!: Uuid; why?: string; }
@CommandEndpoint<${name}, { id: Uuid }>({ restRoute: '/${name.toLowerCase()}', graphQLMutation: 'do${name}'${more} })
export class ${name} extends Command { id!: Uuid; reason?: string; }
export class ${name}Receptor implements Receptor<${name}, { id: Uuid }> {
  handle({ id }: ${name}) { return { id }; }
}
`;
