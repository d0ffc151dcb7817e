import type { ts } from '../compiler.js';
import { sensitiveTypes } from '../emit/redactor.js';
import { approvalNames, approvalRoute, needsApproval } from '../model/approvals.js';
import { bodyName, namesIn, reachableTypes } from '../model/reachable-types.js';
import type { ServiceModel } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import type { Findings } from './file-findings.js';
import type { Reading } from './reading.js';

/** Something that an application declares, and the names and paths that it takes. */
interface Taking {
  readonly declaration: ts.Node;
  readonly names?: readonly (string | null | undefined)[];
  readonly path?: string | null | undefined;
}

/** Approvals bring messages, a route and a mutation of the runtime: an application cannot have those, too. */
export function refuseForApprovals(found: Findings, model: ServiceModel, reading: Reading): void {
  if (!model.commands.some(needsApproval)) return;
  for (const { declaration, names = [], path } of takings(found)) {
    const name = names.find((one) => one !== null && one !== undefined && approvalNames.has(one));
    const refuse = (why: string): void =>
      reading.error('SVC1088', declaration, `a command declares approval, so ${why}`);
    if (name !== undefined) refuse(`'${name}' is a name of the runtime; choose another`);
    if (path === approvalRoute || path?.startsWith(`${approvalRoute}/`) === true)
      refuse(`the runtime serves '${path}'; choose another route`);
  }
  for (const command of found.commands) refuseHidden(command, model, reading);
}

const takings = ({ commands, events, perspectives, routes, named }: Findings): readonly Taking[] => [
  ...commands.map(({ model: { name, graphQLMutation, resultName, restRoute }, declaration }) => ({
    declaration,
    path: restRoute,
    names: [name, graphQLMutation, resultName],
  })),
  ...events.map(({ model, declaration }) => ({ declaration, names: [model.name] })),
  ...perspectives.map(({ query, declaration }) => ({
    declaration,
    path: query?.route,
    names: query === null ? [] : namesIn(query.row),
  })),
  ...routes.map(({ model: { name, path, resultName }, declaration }) => ({
    declaration,
    path,
    names: [name, resultName],
  })),
  ...named.map(({ visible, declaration }) => ({ declaration, path: visible?.route })),
];

/** A person decides about all that runs: it must not hold what nobody may see. */
function refuseHidden(
  { model: command, declaration }: FoundCommand,
  model: ServiceModel,
  reading: Reading,
): void {
  if (!needsApproval(command)) return;
  const sensitive = sensitiveTypes(model);
  const names = [bodyName(command), ...(command.result === null ? [] : namesIn(command.result))];
  if (!reachableTypes(model, names).some((name) => sensitive.has(name))) return;
  const why = `${command.name} has approval, so neither it nor its result can have @Sensitive fields: people see what they agree to`;
  reading.error('SVC1088', declaration, why);
}
