import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { suite } from '../contracts/testing/suite.js';
import { readConfig } from './config/config.js';
import { variables } from './docs/environment-page.js';

const test = suite('ops/compose.yaml');

const ops = fileURLToPath(new URL('../../ops/', import.meta.url));
const read = (path: string): string => readFileSync(join(ops, path), 'utf8');

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
}

const { services, volumes, networks } = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: readonly { subnet: string }[] } };
  };
};
const hosts = ['host-1', 'host-2'].map((name) => {
  const found = services[name];
  assert.ok(found, name);
  return found;
});

test('it has two hosts, PostgreSQL, NATS, HAProxy, Prometheus and Grafana', () => {
  assert.equal(Object.keys(services).toSorted(), [
    'grafana',
    'haproxy',
    'host-1',
    'host-2',
    'nats',
    'postgres',
    'prometheus',
  ]);
});

test('every image has a tag, and only that of the hosts is built', () => {
  for (const [name, { image, build }] of Object.entries(services)) {
    assert.match(image, /^[a-z/]+:(?!latest)[\w.-]+$/, name);
    assert.is(build !== undefined, name.startsWith('host-'));
  }
});

test('every file and volume that it names exists', () => {
  for (const { build } of hosts)
    assert.ok(existsSync(join(ops, build?.context ?? '', build?.dockerfile ?? 'none')));
  const mounted = Object.values(services).flatMap(({ volumes: own = [] }) => own);
  assert.ok(mounted.length > 6);
  for (const [source = ''] of mounted.map((each) => each.split(':')))
    assert.ok(source.startsWith('./') ? existsSync(join(ops, source)) : source in volumes, source);
});

test('every part that another one waits for exists and can say that it is healthy', () => {
  for (const { depends_on = {} } of Object.values(services))
    for (const [name, { condition }] of Object.entries(depends_on)) {
      assert.is(condition, 'service_healthy');
      assert.ok(services[name]?.healthcheck, name);
    }
});

test('the settings of the hosts are ones that a host reads and accepts', () => {
  for (const { environment = {} } of hosts) {
    assert.equal(
      Object.keys(environment).filter((name) => !(name in variables)),
      [],
    );
    const env = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{[^}]*\}/g, 'x'.repeat(32)),
      ]),
    );
    assert.is(readConfig(env).bind, '0.0.0.0');
  }
  assert.is(new Set(hosts.map(({ environment }) => environment?.['SVC_NAME'])).size, 2);
});

test('only this machine can reach what it publishes, and hosts write nowhere', () => {
  for (const { ports = [] } of Object.values(services))
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
  for (const { read_only, ports, stop_grace_period } of hosts) {
    assert.equal([read_only, ports], [true, undefined]);
    // A host exits within ten seconds after SIGTERM.
    assert.ok(Number.parseInt(stop_grace_period ?? '', 10) >= 10);
  }
});

test('every setting of a part is one of Compose', () => {
  const known = new Set([
    ...['build', 'image', 'restart', 'stop_grace_period', 'read_only', 'tmpfs', 'cap_drop', 'security_opt'],
    ...['depends_on', 'healthcheck', 'environment', 'ports', 'volumes', 'shm_size', 'command'],
  ]);
  const ofChecks = new Set(['test', 'interval', 'timeout', 'retries', 'start_period', 'start_interval']);
  for (const part of Object.values(services)) {
    assert.equal(
      Object.keys(part).filter((name) => !known.has(name)),
      [],
    );
    for (const word of part.healthcheck?.test ?? []) assert.type(word, 'string');
    assert.equal(
      Object.keys(part.healthcheck ?? {}).filter((name) => !ofChecks.has(name)),
      [],
    );
  }
});

test('hosts believe the addresses that come from the network of the parts, and no others', () => {
  const [network] = networks.default.ipam.config;
  for (const { environment } of hosts) assert.is(environment?.['SVC_TRUSTED_PROXIES'], network?.subnet);
});

test('what every part is asked for is where another one listens', () => {
  const haproxy = read('compose/haproxy.cfg');
  assert.match(haproxy, /^ +bind :8080$/m);
  assert.equal(services['haproxy']?.ports, ['127.0.0.1:8080:8080']);
  assert.match(read('compose/nats.conf'), /^port: 4222$/m);
  assert.match(services['nats']?.healthcheck?.test.at(-1) ?? '', ':8222/healthz');
  assert.match(read('compose/nats.conf'), /^http_port: 8222$/m);
  assert.match(read('compose/grafana/datasource.yaml'), 'url: http://prometheus:9090');
  const mounted = Object.values(services).flatMap(({ volumes: own = [] }) => own);
  for (const path of [
    '/etc/prometheus/alerts.yml',
    '/usr/local/etc/haproxy/haproxy.cfg',
    '/etc/nats/nats.conf',
  ])
    assert.ok(
      mounted.some((each) => each.split(':')[1] === path),
      path,
    );
  const [, dashboards = ''] = /path: (\S+)/.exec(read('compose/grafana/dashboards.yaml')) ?? [];
  assert.ok(mounted.some((each) => each.split(':')[1]?.startsWith(`${dashboards}/`)));
});

test('HAProxy and Prometheus know both hosts', () => {
  for (const name of ['host-1', 'host-2']) {
    assert.match(read('compose/haproxy.cfg'), `server ${name} ${name}:3000`);
    assert.match(read('compose/prometheus.yml'), `'${name}:3000'`);
  }
});

test('the image is built by commands that a new application has', () => {
  const instructions = read('Dockerfile')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of instructions)
    assert.match(line, /^(?:ARG|FROM|WORKDIR|COPY|RUN|ENV|USER|EXPOSE|ENTRYPOINT|CMD) \S/);
  const stages = instructions.flatMap((line) => / AS (\w+)$/.exec(line)?.[1] ?? []);
  for (const [, stage = ''] of read('Dockerfile').matchAll(/COPY --from=(\w+)/g))
    assert.ok(stages.includes(stage));
  const scripts = [...read('Dockerfile').matchAll(/npm run (\w+)/g)].map(([, name = '']) => name);
  assert.equal(scripts, ['build']);
  const ignored = read('Dockerfile.dockerignore').split('\n');
  for (const [, sources = ''] of read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm))
    for (const source of sources.split(' ')) assert.not(ignored.includes(source), source);
});

test('the image runs the program of the package, without root, and contains no data and no secrets', () => {
  const { name, bin } = JSON.parse(read('../package.json')) as { name: string; bin: { svc: string } };
  const dockerfile = read('Dockerfile');
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
  assert.equal(JSON.parse(entry), ['node', `node_modules/${name}/${bin.svc}`]);
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  assert.match(last, /^USER [1-9]\d*:[1-9]\d*$/m);
  assert.match(last, 'COPY --from=build');
  assert.match(dockerfile, /^ARG NODE=\d+\.\d+\.\d+-/m);
  const ignored = read('Dockerfile.dockerignore').split('\n');
  for (const path of ['**/node_modules', '.svc', 'releases', '.git', '**/.env*', '**/*.key'])
    assert.ok(ignored.includes(path));
});
