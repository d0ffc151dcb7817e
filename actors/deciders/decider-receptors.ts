import type { AnyDecider, DeciderRegistration } from '../../contracts/decider.js';
import { isKebabCase, maxNameLength } from '../../contracts/kebab-case.js';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, ReceptorRegistration, UnitOfWork } from '../../contracts/receptor.js';
import { decide, streamOf } from '../../runtime/deciders/decide.js';
import { DeciderStates } from '../../runtime/deciders/decider-states.js';

const triesAfterConflict = 3;

/** Handles one command of a decider. */
class DeciderReceptor implements Receptor<Command, unknown> {
  readonly queue: string;
  readonly retryOnConflict = triesAfterConflict;

  constructor(
    readonly decider: AnyDecider,
    private readonly name: string,
    private readonly resultName: string | undefined,
    public states: DeciderStates,
  ) {
    this.queue = `decider ${decider.name}`;
  }

  key(command: Command): string {
    return streamOf(this.decider, this.name, command);
  }

  handle(command: Command, work: UnitOfWork): unknown {
    const { decider, name, resultName } = this;
    const streamId = streamOf(decider, name, command);
    return decide({ decider, name, command, streamId, resultName }, work, this.states);
  }
}

/** The receptors of a decider's commands. */
export function deciderReceptors({
  decider,
  results = {},
}: DeciderRegistration): readonly ReceptorRegistration[] {
  mustBeValid(decider);
  const states = new DeciderStates();
  return Object.entries(decider.commands).map(([name, command]) => {
    const resultName = results[name];
    return {
      command,
      receptor: new DeciderReceptor(decider, name, resultName, states),
      name: decider.constructor.name,
      ...(resultName === undefined ? {} : { resultName }),
    };
  });
}

/** Lets the deciders among these receptors share the states of their host. */
export function shareStates(registrations: readonly ReceptorRegistration[], states: DeciderStates): void {
  const deciders = new Map<string, AnyDecider>();
  for (const { receptor } of registrations) {
    if (!(receptor instanceof DeciderReceptor)) continue;
    const { decider } = receptor;
    const other = deciders.get(decider.name) ?? decider;
    if (other !== decider) throw invalid(`Two deciders have the name '${decider.name}'; rename one.`);
    deciders.set(decider.name, decider);
    receptor.states = states;
  }
}

const maxVersion = 2 ** 31 - 1;

function mustBeValid({ name, version, commands, decide: decisions }: AnyDecider): void {
  if (!isKebabCase(name))
    throw invalid(
      `The decider '${String(name).slice(0, 80)}' needs a name in kebab-case of at most ${maxNameLength} characters, such as account.`,
    );
  if (!Number.isInteger(version) || version < 1 || version > maxVersion)
    throw invalid(`The version of decider ${name} must be a whole number from 1.`);
  const missing = Object.keys(commands).filter((command) => typeof decisions[command] !== 'function');
  if (missing.length > 0) throw invalid(`Decider ${name} does not decide ${missing.join(', ')}.`);
}

const invalid = (detail: string): Problem => new Problem('invalid-setup', { detail });
