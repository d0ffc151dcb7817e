import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { originFault } from '../../contracts/origin-fault.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { isKebabCase, maxNameLength } from '../../contracts/kebab-case.js';
import { type MessageClass, typeNameOf } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { keyFault } from '../steps/key-fault.js';
import type { Process } from './process.js';
import { isAsked, messagesOf, type ProcessMessages } from './process-setup.js';

/** Refuses a process that cannot be run, with one line that says why. */
export function checkProcess(process: Process): void {
  const fault = faultOf(process);
  if (fault === undefined) return;
  throw new Problem('invalid-setup', { detail: `The process ${process.name} ${fault}.` });
}

/** The key of the instance that an event is for. */
export function keyOf(process: Process, event: StoredEvent): string {
  const key = process.key(event);
  const fault = keyFault(key);
  if (fault === undefined) return key;
  throw new Problem('process-invalid', {
    detail: `The process ${process.name} has no key for ${event.messageType}: ${fault}.`,
  });
}

function faultOf(process: Process): string | undefined {
  const { name, version, machine, origin, older = {} } = process;
  if (!isKebabCase(name)) {
    return `needs a name in kebab-case of at most ${maxNameLength} characters, such as order-fulfilment`;
  }
  if (!Number.isSafeInteger(version) || version < 1) return 'needs a version: 1, 2, …';
  const messages = messagesOf(machine);
  if (messages === undefined) return 'needs a machine made with processSetup(…).createMachine(…)';
  return (
    messageFault(messages) ??
    originFault({ origin, events: Object.values(messages.events) }) ??
    startFault(process, messages) ??
    machineFault(machine, messages) ??
    olderFault(version, older) ??
    routeFault(process)
  );
}

function messageFault({ events, commands }: ProcessMessages): string | undefined {
  for (const [key, type] of [...Object.entries(events), ...Object.entries(commands)]) {
    const name = typeNameOf(type);
    if (key !== name) return `names ${name} '${key}': the key must be the name of the class`;
  }
  for (const audit of ['EventAudited', 'CommandAudited']) {
    if (Object.hasOwn(events, audit))
      return `waits for ${audit}, which its own commands would cause without end`;
  }
  return undefined;
}

function startFault({ starts }: Process, { events }: ProcessMessages): string | undefined {
  if (starts.length === 0) return 'has no event that starts it: starts = [OrderCreated]';
  const unknown = starts.find((type: MessageClass) => events[typeNameOf(type)] !== type);
  return unknown && `is started by ${typeNameOf(unknown)}, which is not in its events`;
}

function routeFault(process: Process): string | undefined {
  const { route, permission } = process;
  if (route === undefined) return undefined;
  if (!/^\/[A-Za-z0-9\-._~/]*[A-Za-z0-9\-._~]$/.test(route))
    return `has the route '${route}', which must start with '/' and must not end with it`;
  if (permission === undefined) return 'has a route and no permission: say who may see its instances';
  return process.view === undefined
    ? 'has a route and no view: say what callers see of its context'
    : undefined;
}

function olderFault(version: number, older: Readonly<Record<number, AnyStateMachine>>): string | undefined {
  for (const [from, machine] of Object.entries(older)) {
    if (Number(from) >= version) return `has version ${version}, so older must not have ${from}`;
    const messages = messagesOf(machine);
    if (messages === undefined) return `needs machines made with processSetup in older, also for ${from}`;
    const fault = messageFault(messages) ?? machineFault(machine, messages);
    if (fault !== undefined) return `${fault} (in older: ${from})`;
  }
  return undefined;
}

function machineFault(machine: AnyStateMachine, messages: ProcessMessages): string | undefined {
  const { actors, delays } = machine.implementations;
  if (Object.values(actors).some((actor) => !isAsked(actor)))
    return 'has actors: a process only sends commands';
  for (const node of nodesOf(machine.root)) {
    const fault = nodeFault(node, machine, messages, delays);
    if (fault !== undefined) return `${fault} in the state ${node.path.join('.') || '(root)'}`;
  }
  return undefined;
}

/** The commands that a process invokes: each needs an effect. */
export const invokedBy = ({ machine, older = {} }: Process): readonly string[] =>
  [machine, ...Object.values(older)].flatMap(({ root }) =>
    nodesOf(root).flatMap(({ invoke }) =>
      invoke.flatMap(({ src }) => (typeof src === 'string' ? [src] : [])),
    ),
  );

const nodesOf = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

function nodeFault(
  node: AnyStateNode,
  machine: AnyStateMachine,
  { commands }: ProcessMessages,
  delays: object,
): string | undefined {
  // XState keeps states in plain objects.
  if (Object.hasOwn((node.config as { states?: object }).states ?? {}, '__proto__'))
    return 'has a child named __proto__, which XState cannot keep,';
  if (node.invoke.some(({ src }) => typeof src !== 'string' || !Object.hasOwn(commands, src)))
    return 'invokes an actor, which would not survive a restart: invoke or send a command instead';
  for (const delay of Object.keys((node.config as { after?: object }).after ?? {})) {
    // XState would let an unknown delay pass at once.
    if (Number.isNaN(Number(delay)) && !Object.hasOwn(delays, delay)) return `has no delay named ${delay}`;
  }
  const transitions = [node.initial, ...node.transitions.values(), ...(node.always ?? [])].flat();
  for (const action of [...node.entry, ...node.exit, ...transitions.flatMap((each) => each?.actions ?? [])]) {
    const fault = actionFault(action, machine);
    if (fault !== undefined) return fault;
  }
  for (const type of node.transitions.keys()) {
    const refused = /^(.*)\.refused$/.exec(type)?.[1];
    if (refused !== undefined && !Object.hasOwn(commands, refused))
      return `waits for ${type}, but does not send it`;
  }
  return undefined;
}

/** What XState resolves by itself, without an effect outside of the machine. */
const builtIn: ReadonlySet<unknown> = new Set([
  'xstate.assign',
  'xstate.raise',
  'xstate.cancel',
  'xstate.enqueueActions',
]);

function actionFault(action: unknown, { implementations: { actions } }: AnyStateMachine): string | undefined {
  const name = typeof action === 'string' ? action : (action as { readonly type?: string }).type;
  const found: unknown = typeof action === 'function' ? action : actions[name as keyof typeof actions];
  if (typeof action !== 'function' && name === 'send' && !isResolved(found)) return undefined;
  if (isResolved(found) && builtIn.has(found.type)) return undefined;
  return `runs the action ${isResolved(found) ? String(found.type) : nameOf(action, name)}, which would run again when a step is retried: use send, assign, raise, cancel or enqueueActions`;
}

const isResolved = (action: unknown): action is { readonly type: unknown } =>
  typeof action === 'function' && 'resolve' in action;

const nameOf = (action: unknown, name: string | undefined): string =>
  name ?? (typeof action === 'function' && action.name !== '' ? action.name : '(inline)');
