import { CommandAudited, EventAudited } from './events/audited.js';
import { AccessDenied, AccessGranted, PermissionChanged, ScopeContextEstablished } from './events/access.js';
import { CommandFailed, HookFailed, MessageDeadLettered, PerspectiveFailed } from './events/error.js';
import {
  MigrationBatchCompleted,
  MigrationBatchStarted,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
} from './events/migration.js';
import { OperatorActed } from './events/operator.js';
import {
  PerspectiveRebuildCompleted,
  PerspectiveRebuildFailed,
  PerspectiveRebuildProgress,
  PerspectiveRebuildStarted,
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
} from './events/perspective.js';
import { StoreWentBack } from './events/store.js';
import { SystemEvent, type MessageClass, type MessageType } from './message.js';
import { Problem } from './problems.js';

const classesByCategory = {
  'event-audit': { EventAudited },
  'command-audit': { CommandAudited },
  security: { ScopeContextEstablished, PermissionChanged, AccessGranted, AccessDenied },
  perspective: {
    PerspectiveRebuildStarted,
    PerspectiveRebuildProgress,
    PerspectiveRebuildCompleted,
    PerspectiveRebuildFailed,
    PerspectiveRewindStarted,
    PerspectiveRewindCompleted,
    StreamRewindStarted,
    StreamRewindCompleted,
  },
  migration: {
    MigrationItemStarted,
    MigrationItemCompleted,
    MigrationItemFailed,
    MigrationBatchStarted,
    MigrationBatchCompleted,
  },
  operator: { OperatorActed },
  store: { StoreWentBack },
  error: { CommandFailed, HookFailed, PerspectiveFailed, MessageDeadLettered },
} as const;

/** What a system message is about; a class of the application that extends SystemEvent is `custom`. */
export type SystemMessageCategory = keyof typeof classesByCategory | 'custom';

type ListedClass = {
  [C in keyof typeof classesByCategory]: (typeof classesByCategory)[C][keyof (typeof classesByCategory)[C]];
}[keyof typeof classesByCategory];

/** Whatever may stand in the system stream. */
export type SystemMessage = SystemEvent | InstanceType<ListedClass>;

/** Every system message of the runtime, by its wire name. */
export const systemMessages: ReadonlyMap<string, ListedClass> = new Map(
  Object.values(classesByCategory).flatMap((classes) => Object.entries<ListedClass>(classes)),
);

export const isSystemMessage = (type: MessageType): boolean => systemMessageCategoryOf(type) !== undefined;

/**
 * A subclass belongs where its base class does. A name is found if it is one of the runtime's own, or of a class of the
 * application that was asked about before, as every registered or emitted one is.
 */
export function systemMessageCategoryOf(type: MessageType): SystemMessageCategory | undefined {
  if (typeof type !== 'string') return categoryOfClass(type);
  return categoryOfClass(type) ?? (categoryCache.has(type) ? 'custom' : undefined);
}

function categoryOfClass(type: MessageType): SystemMessageCategory | undefined {
  for (let at: object | null = classOf(type); at !== null; at = Object.getPrototypeOf(at)) {
    const category = categories.get(at);
    if (category === 'custom') categoryCache.add((type as MessageClass).name);
    if (category !== undefined) return category;
  }
  return undefined;
}

function classOf(type: MessageType): MessageClass | null {
  if (typeof type === 'function') return type;
  if (typeof type === 'string' && type !== '') return systemMessages.get(type) ?? null;
  throw new Problem('invalid-setup', { detail: 'A message class or the name of a message type is missing.' });
}

/** The names of the application's own system events. */
const categoryCache = new Set<string>();

const categories: ReadonlyMap<object, SystemMessageCategory> = new Map<object, SystemMessageCategory>([
  [SystemEvent, 'custom'],
  ...Object.entries(classesByCategory).flatMap(([category, classes]) =>
    Object.values<object>(classes).map((type) => [type, category as SystemMessageCategory] as const),
  ),
]);
