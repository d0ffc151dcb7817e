import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { openSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Problem } from '../../../contracts/problems.js';
import { connect } from '../../../runtime/database/connect.js';
import { freePort } from '../../../runtime/database/embedded/operating-system.js';
import { installServers, type Servers } from './installed-servers.js';
import { descendantsOf, listProcesses, postmasterIn, signalTo } from './left-behind.js';
import {
  haproxySettings,
  local,
  type NodeSettings,
  patroniSettings,
  type TrioSettings,
} from './trio-settings.js';

const run = promisify(execFile);
const names = ['n1', 'n2', 'n3'];
/** Longer than any failover on a busy machine. */
const patienceMs = 600_000;

/** Three servers that Patroni manages, behind HAProxy. */
export interface PostgresTrio {
  /** The primary, through HAProxy. */
  readonly url: string;
  /** The name of the server that holds the leader's lock. */
  leader(): Promise<string>;
  /** When all follow one primary, and a synchronous standby is among them if there has to be one. */
  untilWhole(): Promise<void>;
  untilLeaderIsNot(name: string): Promise<void>;
  killPostmaster(name: string): void;
  killMachine(name: string): void;
  freezeManager(name: string): void;
  /** The processes that send to the standbys stand still: what is committed from now on stays on this server. */
  freezeSenders(name: string): Promise<void>;
  switchOver(): Promise<void>;
  /** Resumes or restarts what is missing. */
  heal(): void;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

interface Node extends NodeSettings {
  readonly file: string;
  manager: ChildProcess | undefined;
}

/** Its processes end with those of the folder: see `withNothingLeft`. */
export async function startTrio(folder: string, mode: TrioSettings['mode']): Promise<PostgresTrio> {
  const servers = await installServers();
  const [etcd, peers, front] = [await freePort(), await freePort(), await freePort()];
  const password = randomBytes(16).toString('hex');
  const nodes: Node[] = [];
  for (const name of names) {
    const home = join(folder, name);
    const [port, rest] = [await freePort(), await freePort()];
    const node = {
      name,
      home,
      data: join(home, 'data'),
      port,
      rest,
      file: join(home, 'patroni.yml'),
      manager: undefined,
    };
    await mkdir(home, { mode: 0o700 });
    await writeFile(
      node.file,
      patroniSettings(node, { etcd, mode, password, postgres: servers.postgres, protocol: servers.protocol }),
      {
        mode: 0o600,
      },
    );
    const { account } = servers;
    if (account !== undefined)
      for (const path of [home, node.file]) await chown(path, account.uid, account.gid);
    nodes.push(node);
  }
  startEtcd(folder, servers, etcd, peers);
  const trio = new Trio(
    folder,
    servers,
    nodes,
    mode,
    `postgres://postgres:${password}@${local(front)}/postgres`,
  );
  trio.heal();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, haproxySettings(front, nodes));
  spawn(servers.haproxy, ['-db', '-f', file], { stdio: logOf(folder, 'haproxy') });
  await trio.untilWhole();
  return trio;
}

const logOf = (folder: string, name: string): ['ignore', number, number] => {
  const file = openSync(join(folder, `${name}.log`), 'a');
  return ['ignore', file, file];
};

function startEtcd(folder: string, { etcd, protocol }: Servers, port: number, peers: number): void {
  const [client, peer] = [`http://${local(port)}`, `http://${local(peers)}`];
  const args = [
    ...['--name', 'e1', '--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `e1=${peer}`],
    ...(protocol === 'etcd' ? ['--enable-v2=true'] : []),
    // A disk that many use is slow at times; this is not a test of etcd.
    ...['--heartbeat-interval', '500', '--election-timeout', '5000'],
  ];
  const env = { ...process.env, ...(process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {}) };
  spawn(etcd, args, { env, stdio: logOf(folder, 'etcd') });
}

class Trio implements PostgresTrio {
  constructor(
    private readonly folder: string,
    private readonly servers: Servers,
    private readonly nodes: readonly Node[],
    private readonly mode: TrioSettings['mode'],
    readonly url: string,
  ) {}

  async leader(): Promise<string> {
    const found = (await this.#members()).find(isLeader);
    if (found !== undefined) return found.name;
    await delay(200);
    return this.leader();
  }

  untilWhole(): Promise<void> {
    return this.#until('three servers that follow one primary', (members) => {
      const roles = members.map(({ role }) => role);
      const timelines = new Set(members.map(({ timeline }) => timeline));
      return (
        members.length === names.length &&
        members.every(({ state }) => state === 'running' || state === 'streaming') &&
        timelines.size === 1 &&
        members.filter(isLeader).length === 1 &&
        (this.mode === 'async' || roles.includes('sync_standby'))
      );
    });
  }

  untilLeaderIsNot(name: string): Promise<void> {
    return this.#until(`another primary than ${name}`, (members) =>
      members.some((member) => isLeader(member) && member.name !== name && member.state === 'running'),
    );
  }

  killPostmaster(name: string): void {
    const pid = postmasterIn(this.#node(name).data);
    const backends = pid === undefined ? [] : descendantsOf(pid, listProcesses());
    signalTo(pid, 'SIGKILL');
    // A process that was stopped would not notice, and would keep the memory of its server.
    for (const backend of backends) signalTo(backend, 'SIGKILL');
  }

  killMachine(name: string): void {
    signalTo(this.#node(name).manager?.pid, 'SIGKILL');
    this.killPostmaster(name);
  }

  freezeManager(name: string): void {
    signalTo(this.#node(name).manager?.pid, 'SIGSTOP');
  }

  async freezeSenders(name: string): Promise<void> {
    const url = new URL(this.url);
    url.port = String(this.#node(name).port);
    const client = await connect(url.href);
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_replication');
    await client.end();
    for (const { pid } of rows) signalTo(pid, 'SIGSTOP');
  }

  async switchOver(): Promise<void> {
    const { account, patronictl } = this.servers;
    const [node] = this.nodes;
    await run(patronictl, ['-c', node?.file ?? '', 'switchover', 'svc', '--force'], {
      ...account,
      cwd: this.folder,
    });
  }

  heal(): void {
    const { account, patroni } = this.servers;
    for (const node of this.nodes) {
      const { manager } = node;
      if (manager !== undefined && manager.exitCode === null && manager.signalCode === null)
        signalTo(manager.pid, 'SIGCONT');
      else
        node.manager = spawn(patroni, [node.file], {
          ...account,
          cwd: this.folder,
          stdio: logOf(this.folder, node.name),
        });
    }
  }

  #node(name: string): Node {
    const found = this.nodes.find((node) => node.name === name);
    if (found !== undefined) return found;
    throw new Problem('unexpected', { detail: `There is no server ${name}.` });
  }

  async #until(what: string, isSo: (members: readonly Member[]) => boolean): Promise<void> {
    for (const end = performance.now() + patienceMs; performance.now() < end; await delay(200))
      if (isSo(await this.#members())) return;
    const members = JSON.stringify(await this.#members());
    throw new Problem('unexpected', { detail: `Patroni does not reach ${what}: ${members}` });
  }

  /** As the first manager that answers sees them; a frozen one does not. */
  async #members(): Promise<readonly Member[]> {
    const asked = this.nodes.map(async ({ rest }) => {
      const answer = await fetch(`http://${local(rest)}/cluster`, { signal: AbortSignal.timeout(5_000) });
      return ((await answer.json()) as { readonly members: readonly Member[] }).members;
    });
    return Promise.any(asked).catch(() => []);
  }
}

const isLeader = ({ role }: Member): boolean => role === 'leader';
