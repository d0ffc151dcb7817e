import { systemMessages } from '../../../contracts/system-messages.js';
import { endpointFile } from '../model/generated-paths.js';
import { clientMethod, clientNames } from '../emit/client-support.js';
import type { FoundCommand } from './commands.js';
import type { FoundEvent } from './file-findings.js';
import type { CommandModel } from '../model/service-model.js';
import type { Reading } from './reading.js';
import type { NameClaim } from './type-reading-context.js';
import type { ts } from '../compiler.js';

/** What generated code has from JavaScript and from the runtime, beside the classes of the service. */
const usedByGeneratedCode: ReadonlySet<string> = new Set([
  'AbortSignal',
  'Dispatcher',
  'MutationContext',
  'MutationEndpointBase',
  'Promise',
  'Record',
  'Registry',
  'RestMutationEndpointBase',
  'Set',
]);

interface ImportedClass {
  readonly declaration: ts.Node;
  readonly model: { readonly name: string } | undefined;
}

/** Checks names that must be unique in the whole service. */
export class NameConflicts {
  constructor(private readonly reading: Reading) {}

  refuseRoutes(commands: readonly FoundCommand[]): void {
    this.#refuse(commands, ({ restRoute }) => restRoute, 'SVC1007', 'route');
    this.#refuse(commands, ({ graphQLMutation }) => graphQLMutation, 'SVC1008', 'mutation');
  }

  /** Two commands must not generate the same file or the same client method. */
  refuseGenerated(commands: readonly FoundCommand[], claims: readonly NameClaim[]): void {
    this.#refuse(commands, (model) => `${endpointFile(model)}.ts`, 'SVC1030', 'generated file');
    const withoutMutation = commands.filter(({ model }) => model.graphQLMutation === null);
    const withMutation = commands.filter(({ model }) => model.graphQLMutation !== null);
    const all = [...withMutation, ...withoutMutation];
    this.#refuse(all, clientMethod, 'SVC1030', 'client method', withoutMutation);
    for (const { name, node } of claims) {
      if (clientNames.includes(name)) {
        const why = `the generated client uses the type name '${name}' itself; rename yours`;
        this.reading.error('SVC1016', node, why);
      }
    }
  }

  /** The wire name of a message is its class name: two classes cannot share it, nor take one of the runtime. */
  refuseMessages(messages: readonly (FoundCommand | FoundEvent)[]): void {
    const seen = new Map<string, ts.Node>();
    for (const { model, declaration } of messages) {
      if (systemMessages.has(model.name)) {
        const why = `the message name ${model.name} is that of a system event of the runtime; choose another`;
        this.reading.error('SVC1014', declaration, why);
      }
      const other = seen.get(model.name);
      if (other !== undefined && other !== declaration) {
        const why = `the message name ${model.name} is also used at ${this.reading.locationOf(other)}; message names must be unique`;
        this.reading.error('SVC1014', declaration, why);
      }
      seen.set(model.name, declaration);
    }
  }

  /** A class that generated code imports would hide what that code has under the same name. */
  refuseHiding(classes: readonly ImportedClass[]): void {
    for (const { model, declaration } of classes) {
      if (model === undefined || !usedByGeneratedCode.has(model.name)) continue;
      const why = `generated code uses the name '${model.name}' itself; rename yours`;
      this.reading.error('SVC1016', declaration, why);
    }
  }

  /** Every file that reaches a type claims its name; two types with one name are a conflict. */
  refuseTypes(claims: readonly NameClaim[]): void {
    const seen = new Map<string, NameClaim[]>();
    for (const claim of claims) {
      const others = seen.get(claim.name);
      if (others === undefined) seen.set(claim.name, [claim]);
      if (others === undefined || others.some(({ identity }) => identity === claim.identity)) continue;
      const other = others.at(-1) ?? claim;
      others.push(claim);
      const locations = `${this.reading.locationOf(other.declaration)} and ${this.reading.locationOf(claim.declaration)}`;
      const why = `the type name '${claim.name}' is used twice, at ${locations}; rename one`;
      this.reading.error('SVC1016', claim.node, why);
    }
  }

  #refuse(
    commands: readonly FoundCommand[],
    valueOf: (model: CommandModel) => string | null,
    code: 'SVC1007' | 'SVC1008' | 'SVC1030',
    noun: string,
    among = commands,
  ): void {
    const seen = new Map<string, FoundCommand>();
    for (const command of commands) {
      const value = valueOf(command.model);
      if (value === null) continue;
      const other = seen.get(value);
      if (other !== undefined && among.includes(command)) {
        const where = this.reading.locationOf(other.declaration);
        const why = `${command.model.name} has the same ${noun} '${value}' as ${other.model.name} at ${where}; choose another`;
        this.reading.error(code, command.declaration, why);
      }
      seen.set(value, command);
    }
  }
}
