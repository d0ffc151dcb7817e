import {
  type ConstructedModel,
  type DeciderModel,
  type DependencyModel,
  hasEndpoint,
  inNameOrder,
  type NamedTypes,
  type PerspectiveModel,
  type ReceptorModel,
} from '../model/service-model.js';
import { endpointFile } from '../model/generated-paths.js';
import type { ts } from '../compiler.js';
import type { FoundCommand } from './commands.js';
import type { RequiredDependency, FoundClass } from './constructor-dependencies.js';
import { refuseRoute, requestKey } from './effects.js';
import type { FoundEndpoint } from './endpoints.js';
import type { FoundReceptor } from './file-findings.js';
import type { FoundNamed } from './named-classes.js';
import type { FoundPerspective } from './perspectives.js';
import type { Reading } from './reading.js';

/** Joins the classes that the registry constructs with their commands, and collects their dependencies. */
export class RegisteredClasses {
  readonly #dependencies = new Map<string, RequiredDependency>();
  readonly #byDeclaration: ReadonlyMap<ts.Node, string>;
  /** Where each command is handled. */
  readonly #handled = new Map<string, ts.Node>();

  constructor(
    private readonly commands: readonly FoundCommand[],
    private readonly reading: Reading,
  ) {
    this.#byDeclaration = new Map(commands.map(({ model, declaration }) => [declaration, model.name]));
  }

  /** A parameter name has one type in the whole service. */
  get dependencies(): readonly DependencyModel[] {
    return inNameOrder([...this.#dependencies.values()].map(({ model }) => model));
  }

  /** The user's subclasses of generated endpoints, by command. */
  endpoints(found: readonly FoundEndpoint[]): ReadonlyMap<string, ConstructedModel> {
    if (found.length === 0) return new Map();
    const byBase = new Map(
      this.commands.map(({ model }) => [`${endpointFile(model)}#${model.name}Endpoint`, model]),
    );
    const endpoints = new Map<string, ConstructedModel>();
    const locations = new Map<string, ts.Node>();
    for (const endpoint of found) {
      const base = byBase.get(endpoint.base);
      if (base === undefined) continue;
      const command = base.name;
      if (!hasEndpoint(base)) {
        const why = `no ${command}Endpoint is generated; give ${command} a restRoute or a graphQLMutation`;
        this.reading.error('SVC1013', endpoint.declaration, why);
        continue;
      }
      const why = `the endpoint of ${command} must be exported: the registry constructs it`;
      const model = this.#modelOf(endpoint, why);
      if (model === undefined) continue;
      this.#refuseSecond(locations, command, endpoint, 'SVC1011', 'endpoint');
      const parameters = endpoint.hasConstructor ? model.parameters : ['dispatcher'];
      endpoints.set(command, { ...model, parameters });
    }
    return endpoints;
  }

  /** Before the receptors, which must not handle the same commands. */
  deciders(found: readonly FoundNamed[]): readonly DeciderModel[] {
    return found.flatMap((decider) => {
      const model = this.#modelOf(decider, mustBeExported);
      const commands = [...decider.commands].map(([key, declaration]) => [
        key,
        this.#decided(decider, key, declaration),
      ]);
      return model === undefined ? [] : [{ ...model, commands: Object.fromEntries(commands) }];
    });
  }

  #decided(decider: FoundNamed, key: string, declaration: ts.Declaration): string {
    const command = this.#byDeclaration.get(declaration);
    if (command !== undefined) this.#refuseSecond(this.#handled, command, decider, 'SVC1010', 'receptor');
    else
      this.reading.error(
        'SVC1050',
        decider.declaration,
        `'${key}' is not a command; give its class @CommandEndpoint<…>({ … })`,
      );
    return command ?? key;
  }

  /** Before the receptors, too. */
  effects(found: readonly FoundNamed[], types: NamedTypes): readonly ReceptorModel[] {
    return found.flatMap((effect) => {
      const model = this.#modelOf(effect, mustBeExported);
      const declaration = effect.commands.get(requestKey);
      const command = this.commands.find((one) => one.declaration === declaration);
      if (command === undefined) {
        const why = 'the command of an effect must be a class with @CommandEndpoint<TheCommand, void>()';
        this.reading.error('SVC1052', effect.declaration, why);
        return [];
      }
      refuseRoute(command, types, this.reading);
      this.#refuseSecond(this.#handled, command.model.name, effect, 'SVC1010', 'receptor');
      return model === undefined ? [] : [{ ...model, command: command.model.name }];
    });
  }

  /** Classes without anything to join. */
  constructed(found: readonly FoundNamed[]): readonly ConstructedModel[] {
    return found.flatMap((one) => this.#modelOf(one, mustBeExported) ?? []);
  }

  receptors(found: readonly FoundReceptor[]): readonly ReceptorModel[] {
    const receptors = found.flatMap((receptor): ReceptorModel[] => {
      const command = this.#byDeclaration.get(receptor.handles);
      if (command === undefined) {
        this.#refuseUnmarked(receptor);
        return [];
      }
      this.#refuseSecond(this.#handled, command, receptor, 'SVC1010', 'receptor');
      const model = this.#modelOf(receptor, mustBeExported);
      return model === undefined ? [] : [{ ...model, command }];
    });
    for (const { model, declaration } of this.commands) {
      if (this.#handled.has(model.name)) continue;
      const why = `no receptor handles ${model.name}; write a class that implements Receptor<${model.name}, ${model.result === null ? 'void' : model.resultName}>`;
      this.reading.error('SVC1009', declaration, why);
    }
    return receptors;
  }

  /** Nothing could send the command: the registry would not know its receptor. */
  #refuseUnmarked({ declaration, unmarked }: FoundReceptor): void {
    if (unmarked === undefined) return;
    const why = `${unmarked} is not marked as a command; give its class @CommandEndpoint<${unmarked}, TheResult>(), without a route where only the service itself sends it`;
    this.reading.error('SVC1052', declaration, why);
  }

  perspectives(found: readonly FoundPerspective[]): readonly PerspectiveModel[] {
    return found.flatMap((perspective) => {
      const model = this.#modelOf(perspective, mustBeExported);
      return model === undefined ? [] : [{ ...model, query: perspective.query }];
    });
  }

  #refuseSecond(
    locations: Map<string, ts.Node>,
    command: string,
    { declaration }: FoundClass,
    code: 'SVC1010' | 'SVC1011',
    noun: string,
  ): void {
    const other = locations.get(command);
    locations.set(command, declaration);
    if (other === undefined) return;
    const where = this.reading.locationOf(other);
    this.reading.error(code, declaration, `${command} has another ${noun} at ${where}; remove one`);
  }

  #modelOf(found: FoundClass, otherwise: string): ConstructedModel | undefined {
    if (found.model === undefined) this.reading.error('SVC1025', found.declaration, otherwise);
    this.reading.diagnostics.add(found.diagnostics);
    for (const dependency of found.dependencies) this.#addDependency(dependency);
    return found.model;
  }

  #addDependency(dependency: RequiredDependency): void {
    const { name, type } = dependency.model;
    const other = this.#dependencies.get(name);
    if (other === undefined) {
      this.#dependencies.set(name, dependency);
      this.reading.diagnostics.add(dependency.diagnostics);
    } else if (other.identity !== dependency.identity) {
      const where = this.reading.locationOf(other.node);
      const why = `'${name}' is a ${type} here and a ${other.model.type} at ${where}; rename one of them`;
      this.reading.error('SVC1017', dependency.node, why);
    }
  }
}

const mustBeExported = 'must be an exported class with a name: the registry constructs it';
