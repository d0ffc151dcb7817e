import { CommandAudited, EventAudited } from './events/audited.js';
import { AccessDenied, AccessGranted, PermissionChanged, ScopeContextEstablished } from './events/access.js';
import {
  DeploymentCompleted,
  DeploymentReverted,
  DeploymentStageReached,
  DeploymentStarted,
} from './events/deployment.js';
import { EffectDropped, EffectFailed } from './events/effect.js';
import {
  CommandFailed,
  HookFailed,
  MessageDeadLettered,
  PerspectiveFailed,
  ReactionFailed,
} from './events/error.js';
import { FlagChanged } from './events/flag.js';
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
import { ProcessEnded, ProcessStarted, ScheduleMissed, TimersMissed } from './events/process.js';
import { EventsImported } from './events/events-imported.js';
import { SegmentSealed } from './events/segment-sealed.js';
import { StoreKeyRotated } from './events/store-key-rotated.js';
import { StoreTrusted } from './events/store-trusted.js';
import { OriginWentBack, StoreWentBack } from './events/store-went-back.js';
import { SubjectForgotten } from './events/subject.js';
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
  operator: { OperatorActed, FlagChanged, SubjectForgotten, EffectDropped },
  deployment: { DeploymentStarted, DeploymentStageReached, DeploymentCompleted, DeploymentReverted },
  store: { StoreWentBack, OriginWentBack, StoreTrusted, StoreKeyRotated, SegmentSealed, EventsImported },
  error: { CommandFailed, HookFailed, PerspectiveFailed, ReactionFailed, EffectFailed, MessageDeadLettered },
  process: { ProcessStarted, ProcessEnded, TimersMissed, ScheduleMissed },
} as const;

/** The category of a system message; a class of the service that extends SystemEvent is `custom`. */
export type SystemMessageCategory = keyof typeof classesByCategory | 'custom';

type ListedClass = {
  [C in keyof typeof classesByCategory]: (typeof classesByCategory)[C][keyof (typeof classesByCategory)[C]];
}[keyof typeof classesByCategory];

/** Every message that the system stream may hold. */
export type SystemMessage = SystemEvent | InstanceType<ListedClass>;

/** Every system message of the runtime, by its wire name. */
export const systemMessages: ReadonlyMap<string, ListedClass> = new Map(
  Object.values(classesByCategory).flatMap((classes) => Object.entries<ListedClass>(classes)),
);

export const isSystemMessage = (type: MessageType): boolean => systemMessageCategoryOf(type) !== undefined;

/**
 * A subclass has the category of its base class. A name is found if it belongs to the runtime, or to a class of the
 * service that was looked up before: registering or emitting a class looks it up.
 */
export function systemMessageCategoryOf(type: MessageType): SystemMessageCategory | undefined {
  if (typeof type !== 'string') return categoryOfClass(type);
  return categoryOfClass(type) ?? (customNames.has(type) ? 'custom' : undefined);
}

function categoryOfClass(type: MessageType): SystemMessageCategory | undefined {
  for (let at: object | null = classOf(type); at !== null; at = Object.getPrototypeOf(at)) {
    const category = categories.get(at);
    if (category === 'custom') customNames.add((type as MessageClass).name);
    if (category !== undefined) return category;
  }
  return undefined;
}

function classOf(type: MessageType): MessageClass | null {
  if (typeof type === 'function') return type;
  if (typeof type === 'string' && type !== '') return systemMessages.get(type) ?? null;
  throw new Problem('invalid-setup', { detail: 'A message class or the name of a message type is missing.' });
}

/** Of the service's own system events. */
const customNames = new Set<string>();

const categories: ReadonlyMap<object, SystemMessageCategory> = new Map<object, SystemMessageCategory>([
  [SystemEvent, 'custom'],
  ...Object.entries(classesByCategory).flatMap(([category, classes]) =>
    Object.values<object>(classes).map((type) => [type, category as SystemMessageCategory] as const),
  ),
]);
