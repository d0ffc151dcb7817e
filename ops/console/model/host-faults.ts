import { count, counted } from './format.js';
import type { HealthFigures, HealthItem } from './health.js';
import { type Fault, fault, type RecentRequests, some, type StateFacts, within } from './state-sentence.js';

/** What is wrong with one host, or with several that are shown as one. */
export function faultsOfHost(facts: StateFacts): readonly Fault[] {
  const { health, failingParts = [] } = facts;
  const checks = health?.checks ?? [];
  const silent = silentHosts(checks);
  const database = databaseFault(checks);
  // Without a database, everything else that fails is a consequence.
  if (database !== undefined) return [database, ...silent];
  return [
    ...silent,
    ...reportedState(health),
    ...brokerFault(checks, facts.outbox?.pending ?? 0),
    ...crashes(facts.recent),
    ...hanging(facts.inFlight ?? []),
    ...otherChecks(checks),
    ...(failingParts.length === 0 ? [] : [unreadable(failingParts)]),
    ...waitingWork(facts),
  ];
}

function silentHosts(checks: readonly HealthItem[]): readonly Fault[] {
  const names = hostsIn(checks);
  const silent = hostsIn(checks.filter(({ name, status }) => name === 'host' && status === 'Unhealthy'));
  if (silent.length === 0) return [];
  const text = `${some(silent.length, names.length, 'host')} not responding: ${silent.join(', ')}.`;
  return [fault('silent hosts', 'bad', text, 'health')];
}

/** Every host has this check, whatever the prefix of its name. */
const isDatabase = (name: string): boolean => name.endsWith('relational_db');

function databaseFault(checks: readonly HealthItem[]): Fault | undefined {
  const failing = checks.filter(({ name, status }) => isDatabase(name) && status === 'Unhealthy');
  const [first] = failing;
  if (first === undefined) return undefined;
  const why = first.detail === undefined ? '' : ` (${withoutPeriod(first.detail)})`;
  const text = `The database is not available${onHosts(failing)}${why}: commands fail, and stored data may be shown as it was.`;
  return { ...fault('database', 'bad', text, 'health'), since: first.since };
}

/** A monitor reports of other hosts whether they are up at all. */
function reportedState(health: HealthFigures | undefined): readonly Fault[] {
  switch (health?.status) {
    case 'silent':
      return [fault('report', 'bad', 'This host has sent no report for more than 30 s.', 'health')];
    case 'stopped':
      return [fault('report', 'warn', 'This host has stopped.', 'health')];
    case 'no report':
    case 'unknown':
      return [fault('report', 'quiet', 'This host has sent no report of its health yet.', 'health')];
    default:
      return [];
  }
}

const brokerChecks = new Set(['cloud_servicebus', 'amqp_broker']);

function brokerFault(checks: readonly HealthItem[], pending: number): readonly Fault[] {
  const failing = checks.filter(({ name, status }) => brokerChecks.has(name) && status === 'Unhealthy');
  const [first] = failing;
  if (first === undefined) return [];
  const waiting = pending === 0 ? '' : `, ${counted(pending, 'message')} ${pending === 1 ? 'waits' : 'wait'}`;
  const text = `The message broker is not available${onHosts(failing)}: nothing is published or received${waiting}.`;
  return [{ ...fault('broker', 'bad', text, 'outbox'), since: first.since }];
}

/** Where more is known about a check than its detail. */
const panelsOfChecks: Readonly<Record<string, Fault['panel']>> = {
  reactions: 'stuck',
  timers: 'processes',
  perspective_lag: 'perspectives',
  outbox_age: 'outbox',
};

/** A host that is late with everything is late with these, too. */
const delayed: readonly string[] = [
  ...['leases', 'outbox_age', 'perspective_lag', 'timers', 'reactions', 'clock_skew'],
];

function otherChecks(checks: readonly HealthItem[]): readonly Fault[] {
  const isBroker = checks.some(({ name, status }) => brokerChecks.has(name) && status === 'Unhealthy');
  const others = checks.filter(
    ({ name, status }) =>
      status !== 'Healthy' &&
      name !== 'host' &&
      !brokerChecks.has(name) &&
      // Without a broker, these are consequences.
      !(isBroker && (name === 'subscriptions' || name === 'outbox_age')),
  );
  const names = [...new Set(others.map(({ name }) => name))];
  const isLate = names.includes('event_loop');
  const order = (name: string): number =>
    name === 'event_loop' ? 0 : isLate ? delayed.indexOf(name) + 2 : 1;
  return names
    .toSorted((one, other) => order(one) - order(other))
    .map((name) => {
      const same = others.filter((check) => check.name === name);
      const [first] = same;
      const level = same.some(({ status }) => status === 'Unhealthy') ? 'bad' : 'warn';
      const word = level === 'bad' ? 'unhealthy' : 'degraded';
      const text = `${name} is ${word}${onHosts(same)}: ${first?.detail ?? 'no detail is known.'}`;
      const panel = panelsOfChecks[name] ?? 'health';
      return { ...fault(`check ${name}`, level, text, panel), since: first?.since };
    });
}

function unreadable(parts: readonly string[]): Fault {
  const text = `The host cannot read ${parts.join(', ')} at the moment; that part of the page may be old.`;
  return fault('unreadable', 'warn', text, 'health');
}

function crashes(recent: RecentRequests | undefined): readonly Fault[] {
  if (recent === undefined || recent.crashed === 0) return [];
  const { requests, crashed } = recent;
  const text = `${count(crashed)} of ${counted(requests, 'request')} ${within(recent)} failed with an error of the service.`;
  const level = crashed * 2 >= requests ? 'bad' : 'warn';
  return [fault('crashes', level, text, 'requests')];
}

const hangingMs = 5_000;

/** Of a request that does not end, nothing else is known: no error, no refusal. */
function hanging(inFlight: NonNullable<StateFacts['inFlight']>): readonly Fault[] {
  const long = inFlight.filter(({ ms }) => ms >= hangingMs);
  if (long.length === 0) return [];
  const commands = [...new Set(long.map(({ command }) => command))].join(', ');
  const text = `${count(long.length)} ${long.length === 1 ? 'request has' : 'requests have'} been running for more than ${hangingMs / 1000} s: ${commands}.`;
  return [fault('hanging', 'warn', text, 'requests')];
}

/** What waits for a decision of an operator. */
function waitingWork({ health, outbox, perspectives = [] }: StateFacts): readonly Fault[] {
  const dead = outbox?.dead ?? 0;
  // The check names them too.
  const isReported = health?.checks.some(
    ({ name, status }) => name === 'perspective_lag' && status !== 'Healthy',
  );
  const parked = isReported === true ? 0 : perspectives.reduce((sum, one) => sum + (one.parked ?? 0), 0);
  const names = perspectives.filter((one) => (one.parked ?? 0) > 0).map(({ name }) => name);
  const letters = `${count(dead)} dead ${dead === 1 ? 'letter waits' : 'letters wait'} for a decision`;
  const rows = `${count(parked)} parked ${parked === 1 ? 'row' : 'rows'} of ${names.join(', ')}`;
  return [
    ...(dead === 0 ? [] : [fault('dead letters', 'warn', `${letters}.`, 'outbox')]),
    ...(parked === 0
      ? []
      : [fault('parked', 'warn', `${rows} ${parked === 1 ? 'is' : 'are'} not up to date.`, 'stuck')]),
  ];
}

const hostsIn = (checks: readonly HealthItem[]): readonly string[] => [
  ...new Set(checks.flatMap(({ host }) => (host === undefined ? [] : [host]))),
];

/** Names the hosts, if the page shows several. */
function onHosts(checks: readonly HealthItem[]): string {
  const names = hostsIn(checks);
  return names.length === 0 ? '' : ` on ${names.join(', ')}`;
}

const withoutPeriod = (text: string): string => text.replace(/\.$/, '');
