import type { Verb } from './cli/verb.js';

/** What the list of verbs shows, and where the verb is. */
export interface ListedVerb {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** It stops with 0, also while it is being loaded. */
  readonly runsHost?: boolean;
  /** It may have much to do: requests on the same machine come first. */
  readonly givesWay?: boolean;
  readonly load: () => Promise<Verb>;
}

/** A verb is loaded when it is named: most need only a part of the runtime, and the list needs none of it. */
export const verbs: readonly ListedVerb[] = [
  {
    name: 'new',
    usage: 'new <dir>',
    summary: 'creates a service: a command, its event, a read model and a test',
    load: async () => (await import('./commands/new.js')).newVerb,
  },
  {
    name: 'add',
    usage: 'add <kind> <Name>',
    summary:
      'adds a class to a service: a command, event, perspective, reaction, process, decider, effect or webhooks',
    load: async () => (await import('./commands/add.js')).add,
  },
  {
    name: 'dev',
    usage: 'dev [app]',
    summary: 'generates, compiles and runs a service, and does so again after every change',
    load: async () => (await import('./commands/dev.js')).dev,
  },
  {
    name: 'start',
    usage: 'start <app>',
    summary: 'runs one host process',
    runsHost: true,
    load: async () => (await import('./commands/start.js')).start,
  },
  {
    name: 'supervise',
    usage: 'supervise <app>',
    summary: 'runs several host processes on one port and replaces those that fail',
    load: async () => (await import('./commands/supervise.js')).supervise,
  },
  {
    name: 'generate',
    usage: 'generate [dir]',
    summary: 'generates endpoints, codecs, registry, client and documents from the sources',
    load: async () => (await import('./commands/generate.js')).generate,
  },
  {
    name: 'audit',
    usage: 'audit <action>',
    summary: 'verifies, follows or exports the system stream',
    load: async () => (await import('./commands/audit.js')).audit,
  },
  {
    name: 'dead-letters',
    usage: 'dead-letters <action>',
    summary: 'lists, shows, replays or discards messages that could not be published or received',
    load: async () => (await import('./commands/dead-letters.js')).deadLetters,
  },
  {
    name: 'store',
    usage: 'store <action>',
    summary: 'shows the store, accepts that it went back, and adopts a copy',
    load: async () => (await import('./commands/store.js')).store,
  },
  {
    name: 'outbox',
    usage: 'outbox republish',
    summary: 'publishes again messages that the broker has lost',
    load: async () => (await import('./commands/outbox.js')).outbox,
  },
  {
    name: 'perspectives',
    usage: 'perspectives <action>',
    summary: 'lists read models, rebuilds or removes one',
    load: async () => (await import('./commands/perspectives.js')).perspectives,
  },
  {
    name: 'segments',
    usage: 'segments <action>',
    summary: 'lists, seals or verifies the segments of the log',
    load: async () => (await import('./commands/segments.js')).segments,
  },
  {
    name: 'roles',
    usage: 'roles <action>',
    summary: 'grants, revokes or lists roles and permissions of users',
    load: async () => (await import('./commands/roles.js')).roles,
  },
  {
    name: 'keys',
    usage: 'keys <action>',
    summary: 'creates, lists or revokes API keys',
    load: async () => (await import('./commands/keys.js')).keys,
  },
  {
    name: 'flags',
    usage: 'flags <action>',
    summary: 'lists feature flags, or turns one on or off for everyone or for some',
    load: async () => (await import('./commands/flags.js')).flags,
  },
  {
    name: 'stores',
    usage: 'stores <action>',
    summary: 'lists the stores that send messages, and decides which are trusted',
    load: async () => (await import('./commands/stores.js')).stores,
  },
  {
    name: 'subjects',
    usage: 'subjects forget <id>',
    summary: 'makes the sensitive values of a person or thing unreadable',
    load: async () => (await import('./commands/subjects.js')).subjects,
  },
  {
    name: 'stuck',
    usage: 'stuck <action>',
    summary: 'lists everything that is stuck, retries it or gives it up',
    givesWay: true,
    load: async () => (await import('./commands/stuck.js')).stuck,
  },
  {
    name: 'reactions',
    usage: 'reactions <action>',
    summary: 'lists reactions, releases their parked keys, or passes a cursor to a new name',
    givesWay: true,
    load: async () => (await import('./commands/reactions.js')).reactions,
  },
  {
    name: 'processes',
    usage: 'processes <action>',
    summary: 'lists or shows the instances of processes, or retries a parked one',
    load: async () => (await import('./commands/processes.js')).processes,
  },
  {
    name: 'timers',
    usage: 'timers <action>',
    summary: 'lists timers, cancels one or runs it now',
    load: async () => (await import('./commands/timers.js')).timers,
  },
  {
    name: 'effects',
    usage: 'effects <action>',
    summary: 'lists calls to other systems, retries, cancels, pauses or resumes them',
    load: async () => (await import('./commands/effects.js')).effects,
  },
  {
    name: 'reservations',
    usage: 'reservations <action>',
    summary: 'lists reserved names, or frees one',
    load: async () => (await import('./commands/reservations.js')).reservations,
  },
  {
    name: 'mcp',
    usage: 'mcp [--bodies]',
    summary: 'answers questions of agents about a store over stdin and stdout, read-only',
    load: async () => (await import('./commands/mcp.js')).mcp,
  },
  {
    name: 'inspect',
    usage: 'inspect [--url URL]',
    summary: 'prints the links to the inspector, the machines and the console of a host',
    load: async () => (await import('./commands/inspect.js')).inspect,
  },
  {
    name: 'migrate',
    usage: 'migrate [app]',
    summary: 'brings the schema up to date, or shows the steps',
    load: async () => (await import('./commands/migrate.js')).migrateVerb,
  },
  {
    name: 'check',
    usage: 'check <what> [app]',
    summary: 'checks migrations, the conditions for a deployment (pre), and its result (post)',
    load: async () => (await import('./commands/check.js')).check,
  },
  {
    name: 'deploy',
    usage: 'deploy <strategy> <app>',
    summary: 'brings a revision into service: canary, rolling, blue-green or recreate',
    load: async () => (await import('./deploy/cli/deploy.js')).deploy,
  },
  {
    name: 'monitor',
    usage: 'monitor [--url NATS]',
    summary: 'receives, keeps and shows the system events of every broadcasting host',
    runsHost: true,
    load: async () => (await import('./commands/monitor.js')).monitor,
  },
];
