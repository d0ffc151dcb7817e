import type { SchemaLevels } from '../schema-levels.js';
import type { ColumnCopy } from '../sql-file-header.js';
import type { Effect } from './effects.js';
import type { Finding } from './finding.js';
import { type KnownColumn, SchemaHistory } from './schema-history.js';

/** A file of the history, in order. */
export interface FileSteps {
  readonly name: string;
  readonly levels: SchemaLevels;
  readonly copy: ColumnCopy | undefined;
  readonly steps: readonly { readonly line: number; readonly effects: readonly Effect[] }[];
}

interface Order {
  readonly findings: readonly Finding[];
  /** `file:line` of each SET NOT NULL whose earlier steps are all there. */
  readonly inOrder: ReadonlySet<string>;
}

type Required = Extract<Effect, { kind: 'requires' }>;
type Fault = Pick<Finding, 'rule' | 'message' | 'instead'>;

/**
 * Finds steps that are out of order: what becomes required before code writes it and rows have it, what is removed
 * before code has stopped using it. A release is marked by the level that its files declare.
 */
export function orderOf(files: readonly FileSteps[]): Order {
  const history = new SchemaHistory();
  const added = addedIn(files);
  const findings: Finding[] = [];
  const inOrder = new Set<string>();
  for (const [index, file] of files.entries()) {
    if (file.copy !== undefined) history.fill(file.copy.table.replace(/^public\./, ''), file.copy.column);
    for (const { line, effects } of file.steps) {
      for (const effect of effects) {
        const faults = faultsOf(effect, { files, index, history, added });
        findings.push(
          ...faults.map((fault) => ({ file: file.name, line, effect: 'breaks' as const, ...fault })),
        );
        if (faults.length === 0 && isSafeRequirement(effect, file, history))
          inOrder.add(`${file.name}:${line}`);
        if (inOrder.has(`${file.name}:${line}`) && !isValidated(effect, history))
          findings.push({ file: file.name, line, effect: 'blocks', ...scan });
        history.apply(effect, index);
      }
    }
  }
  return { findings, inOrder };
}

const isRequirement = (effect: Effect): effect is Required =>
  effect.kind === 'requires' && effect.by === 'not-null';

const isSafeRequirement = (effect: Effect, { levels }: FileSteps, history: SchemaHistory): boolean =>
  isRequirement(effect) && levels.least > 1 && history.column(effect.object, effect.column) !== undefined;

const isValidated = (effect: Effect, history: SchemaHistory): boolean =>
  !isRequirement(effect) || history.column(effect.object, effect.column)?.isValidated === true;

const scan: Fault = {
  rule: 'set-not-null-scan',
  message: 'the whole table is read under a lock',
  instead:
    'ADD CONSTRAINT … CHECK (c IS NOT NULL) NOT VALID in one file, VALIDATE CONSTRAINT in the next, then SET NOT NULL',
};

/** The index of the last file that adds a column. */
function addedIn(files: readonly FileSteps[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [index, { steps }] of files.entries())
    for (const { effects } of steps)
      for (const effect of effects)
        if (effect.kind === 'adds') found.set(`${effect.object} ${effect.column}`, index);
  return found;
}

interface RuleContext {
  readonly files: readonly FileSteps[];
  readonly index: number;
  readonly history: SchemaHistory;
  readonly added: ReadonlyMap<string, number>;
}

function faultsOf(effect: Effect, context: RuleContext): readonly Fault[] {
  const { history, index } = context;
  const known = history.object(effect.object);
  if (known?.since === index) return [];
  if (
    known?.droppedBy !== undefined &&
    known.droppedBy < index &&
    effect.kind !== 'creates' &&
    effect.kind !== 'drops'
  )
    return [afterDropped(effect.object, context.files[known.droppedBy]?.name ?? '')];
  switch (effect.kind) {
    case 'drops':
      return contractFaults(effect.object, known?.since, context);
    case 'drops-column':
      return contractFaults(
        `${effect.object}.${effect.column}`,
        history.column(effect.object, effect.column)?.since ?? known?.since,
        context,
      );
    case 'backfills':
      return beforeAdded(effect.object, effect.column, context);
    case 'requires':
      return [...beforeAdded(effect.object, effect.column, context), ...requirementFaults(effect, context)];
    case 'validates': {
      const column = history.columnOf(effect.object, effect.constraint);
      return column === undefined ? [] : backfillFaults(effect.object, column, context);
    }
    default:
      return [];
  }
}

/** Only a file with a min-level may drop at all; it comes after the release that stopped using what it drops. */
function contractFaults(
  what: string,
  since: number | undefined,
  { files, index }: RuleContext,
): readonly Fault[] {
  const { least = 1 } = files[index]?.levels ?? {};
  if (least === 1) return [];
  if (files.slice(since === undefined ? 0 : since + 1, index).some(({ levels }) => levels.level >= least))
    return [];
  const later = files.slice(index + 1).find(({ levels }) => levels.level >= least && levels.least < least);
  if (later !== undefined) {
    const message = `${what} is removed for code of level ${least}, which only ${later.name} brings`;
    return [
      {
        rule: 'contract-before-expand',
        message,
        instead: `move it behind ${later.name}, into a later release`,
      },
    ];
  }
  if (since === undefined) return [];
  const message = `${what}, created by ${files[since]?.name}, is removed, and no file between declares level ${least}, from which code no longer uses it`;
  return [
    {
      rule: 'drop-before-unused',
      message,
      instead: `deploy code that no longer uses it first, with a file that says -- svc: level=${least}`,
    },
  ];
}

function requirementFaults(effect: Required, context: RuleContext): readonly Fault[] {
  const { files, index, history } = context;
  const { object, column, by } = effect;
  const known = history.column(object, column);
  if (known === undefined) return [];
  const { least = 1 } = files[index]?.levels ?? {};
  const isKnownToCode =
    least > 1 && files.slice(known.since, index).some(({ levels }) => levels.level >= least);
  return [
    ...(isKnownToCode || isOld(known, context, object) ? [] : [sameRelease(object, column, known, files)]),
    ...(by === 'not-valid' ? [] : backfillFaults(object, column, context)),
  ];
}

/** A column that was created with its table is as old as the code that uses it. */
const isOld = ({ since }: KnownColumn, { history, files, index }: RuleContext, object: string): boolean =>
  history.object(object)?.since === since && files[index]?.levels.least === 1;

const sameRelease = (
  object: string,
  column: string,
  { since }: KnownColumn,
  files: readonly FileSteps[],
): Fault => ({
  rule: 'required-in-same-release',
  message: `${object}.${column} becomes required in the release that adds it (${files[since]?.name}): running code does not write it`,
  instead:
    'declare -- svc: level=N where it is added, deploy code that always writes it, and require it in a later release, in a file with -- svc: min-level=N',
});

function backfillFaults(object: string, column: string, { history, files }: RuleContext): readonly Fault[] {
  const known = history.column(object, column);
  if (known === undefined || known.isFilled) return [];
  const message = `${object}.${column}, added by ${files[known.since]?.name}, becomes required before existing rows have a value`;
  return [
    {
      rule: 'required-before-backfill',
      message,
      instead: `backfill it in a file before: UPDATE ${object} SET ${column} = … WHERE ${column} IS NULL`,
    },
  ];
}

function beforeAdded(
  object: string,
  column: string,
  { history, files, index, added }: RuleContext,
): readonly Fault[] {
  const later = added.get(`${object} ${column}`) ?? -1;
  if (
    history.object(object)?.isComplete !== true ||
    history.column(object, column) !== undefined ||
    later < index
  )
    return [];
  const message = `${object}.${column} is used before ${files[later]?.name} adds it`;
  return [{ rule: 'before-added', message, instead: `move it behind ${files[later]?.name}` }];
}

const afterDropped = (object: string, file: string): Fault => ({
  rule: 'after-dropped',
  message: `${object} was dropped by ${file}`,
  instead: 'remove the statement, or create the object again first',
});
