import type { AnyPerspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import {
  type PerspectiveTable,
  perspectiveTable,
} from '../../runtime/perspectives/tables/perspective-table.js';
import type { PerspectiveRunner } from './perspective-runner.js';

export interface Registered {
  readonly perspective: AnyPerspective;
  readonly table: PerspectiveTable;
  runner?: PerspectiveRunner;
}

/** The perspectives of a host by name. */
export class RegisteredPerspectives {
  readonly #byName = new Map<string, Registered>();

  /** Returns those that are new. */
  add(perspectives: readonly AnyPerspective[]): readonly Registered[] {
    return perspectives.flatMap((perspective): Registered[] => {
      const table = perspectiveTable(perspective);
      const known = this.#byName.get(table.name);
      if (known?.table.hash === table.hash) return [];
      if (known !== undefined)
        throw new Problem('invalid-setup', {
          detail: `The perspective '${table.name}' is declared twice; give one of them another name.`,
        });
      const registered = { perspective, table };
      this.#byName.set(table.name, registered);
      return [registered];
    });
  }

  get all(): readonly Registered[] {
    return [...this.#byName.values()];
  }

  get runners(): readonly PerspectiveRunner[] {
    return this.all.flatMap(({ runner }) => runner ?? []);
  }

  named(name: string): Registered {
    const registered = this.#byName.get(name);
    if (registered !== undefined) return registered;
    const known = [...this.#byName.keys()].join(', ');
    throw new Problem('not-found', { detail: `There is no perspective '${name}'; there are: ${known}.` });
  }
}
