import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { thrownBy } from '../../../runtime/testing/thrown-by.js';
import { until } from '../../../runtime/kit/until.js';
import type { DeploymentTarget, Report } from '../target.js';
import type { Service } from './objects.js';
import { image, withStandIn } from './testing/orders-cluster.js';

const test = suite('what the kubernetes driver observes');

const signal = AbortSignal.timeout(600_000);

const reported = async (target: DeploymentTarget, isSo: (report: Report) => boolean): Promise<Report> => {
  let report = await target.observe(signal);
  await until(async () => isSo((report = await target.observe(signal))));
  return report;
};

const counter = (route: string, status: number, value: number): string =>
  `http_server_request_duration_seconds_count{http_request_method="GET",http_route="${route}",http_response_status_code="${status}"} ${value}\n`;

test('hosts count as ready when their Deployment says so, and a revision that never is reports none', () =>
  withStandIn(async ({ driver, controllers }) => {
    controllers.behavior.isReady = (name) => !name.endsWith(':broken');
    const good = await driver.prepare('1.1', image('1.1'), signal);
    await good.scale('new', 3, signal);
    const { old, new: next } = await reported(good, (report) => report.new.ready === 3);
    assert.equal([old.replicas, old.ready, next.replicas], [3, 3, 3]);
    const bad = await driver.prepare('1.2', image('broken'), signal);
    await bad.scale('new', 2, signal);
    const report = await reported(bad, (each) => each.new.replicas === 2);
    assert.equal([report.new.revision, report.new.ready, report.old.ready], ['1.2', 0, 3]);
  }));

test('pods that are still stopping count until they are gone', () =>
  withStandIn(async ({ driver, controllers }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    await reported(target, ({ old }) => old.ready === 3);
    controllers.behavior.holdStopping = true;
    await target.scale('old', 0, signal);
    const { old } = await target.observe(signal);
    assert.equal([old.replicas, old.ready], [0, 3]);
    controllers.behavior.holdStopping = false;
    await reported(target, (report) => report.old.ready === 0);
  }));

test('requests and errors are counted without probes, and only grow when pods restart or end', () =>
  withStandIn(async ({ api, driver }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    await reported(target, ({ old }) => old.ready === 3);
    let counted = 100;
    api.metricsOf = () =>
      counter('/orders', 201, counted) +
      counter('/orders', 503, counted / 10) +
      counter('/health/ready', 503, 9_999) +
      counter('/metrics', 200, 9_999);
    const first = await target.observe(signal);
    assert.equal([first.old.requests, first.old.errors, first.new.requests], [330, 30, 0]);
    counted = 20;
    const restarted = await target.observe(signal);
    assert.equal([restarted.old.requests, restarted.old.errors], [330 + 66, 30 + 6]);
    await target.scale('old', 1, signal);
    await reported(target, ({ old }) => old.ready === 1);
    const fewer = await target.observe(signal);
    assert.ok(fewer.old.requests >= restarted.old.requests);
    assert.is(fewer.unmeasured, undefined);
  }));

test('without metrics a report says why, and still says how many hosts are ready', () =>
  withStandIn(async ({ api, driver }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    api.metricsOf = () => undefined;
    const report = await reported(target, ({ old }) => old.ready === 3);
    await until(async () => (await target.observe(signal)).unmeasured !== undefined);
    assert.match(
      (await target.observe(signal)).unmeasured ?? '',
      /answered 503 to GET shop\/pods\/orders-blue/,
    );
    assert.is(report.old.ready, 3);
  }));

test('a Prometheus is asked once it is named, and one that is gone is reported', () =>
  withStandIn(async ({ driverWith }) => {
    const asked: string[] = [];
    const prometheus = createServer((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams.get('query') ?? '';
      asked.push(query);
      const series = (route: string, status: string, value: string) => ({
        metric: { pod: 'orders-x', http_route: route, http_response_status_code: status },
        value: [1, value],
      });
      const result = query.includes('orders-green-')
        ? [
            series('/orders', '200', '180'),
            series('/orders', '500', '20'),
            series('/health/live', '200', '7'),
          ]
        : [];
      response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }));
    });
    await new Promise<void>((resolve) => prometheus.listen(0, '127.0.0.1', resolve));
    const { port } = prometheus.address() as AddressInfo;
    const target = await driverWith({ prometheus: `http://127.0.0.1:${port}` }).prepare(
      '1.1',
      image('1.1'),
      signal,
    );
    const { new: next, old } = await target.observe(signal);
    assert.equal([next.requests, next.errors, old.requests], [200, 20, 0]);
    assert.match(asked.join(), 'namespace="shop",pod=~"orders-blue-');
    prometheus.closeAllConnections();
    await new Promise((resolve) => prometheus.close(resolve));
    const lost = await target.observe(signal);
    assert.is(lost.unmeasured, `Prometheus at 127.0.0.1:${port} does not answer.`);
    assert.is(lost.new.requests, 200);
  }));

test('a Prometheus that scrapes no pod of the new revision measures nothing, and says so', () =>
  withStandIn(async ({ driverWith }) => {
    const prometheus = createServer((_, response) => {
      response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [] } }));
    });
    await new Promise<void>((resolve) => prometheus.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = prometheus.address() as AddressInfo;
      const driver = driverWith({ prometheus: `http://127.0.0.1:${port}` });
      const target = await driver.prepare('1.1', image('1.1'), signal);
      assert.is((await target.observe(signal)).unmeasured, undefined, 'it has no pods yet');
      await target.scale('new', 1, signal);
      const { unmeasured } = await reported(target, (report) => report.new.ready === 1);
      assert.is(
        unmeasured,
        `Prometheus at 127.0.0.1:${port} has no series of the pods of orders-green; may it read /metrics?`,
      );
    } finally {
      prometheus.closeAllConnections();
      prometheus.close();
    }
  }));

test('a drained side gets nothing new and has answered what it had', () =>
  withStandIn(async ({ api, driver, readRoute }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    await target.scale('new', 1, signal);
    await reported(target, (report) => report.new.ready === 1 && report.old.ready === 3);
    let [asked, running] = [0, 2];
    api.metricsOf = () => {
      if (++asked > 6) running = 0;
      return `${counter('/orders', 201, 5)}svc_handlers_running{command="CreateOrder"} ${running}\n`;
    };
    await target.drain('old', signal);
    assert.is(running, 0);
    assert.equal(
      (await readRoute()).spec.rules?.[0]?.backendRefs?.map(({ weight }) => weight),
      [0, 100],
    );
  }));

test('a drain ends with the grace period when connections stay open, and at once without pods', () =>
  withStandIn(async ({ api, driver }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    await target.drain('new', signal);
    await reported(target, ({ old }) => old.ready === 3);
    let counted = 0;
    api.metricsOf = () => counter('/orders', 200, counted++);
    const started = performance.now();
    await target.drain('old', signal);
    assert.ok(performance.now() - started >= 1_900);
  }));

test('revisions are those of both slots and of old ReplicaSets, and each can be placed again', () =>
  withStandIn(async ({ driver, driverWith, rest, paths }) => {
    assert.is((await driver.revisions(signal)).current, '1.0');
    for (const revision of ['1.1', '1.2', '1.3']) {
      const target = await driver.prepare(revision, image(revision), signal);
      await target.switch('new', signal);
      await target.scale('new', 1, signal);
      await until(async () => (await driver.revisions(signal)).known.includes(revision));
    }
    const { current, known } = await driver.revisions(signal);
    assert.is(current, '1.3');
    assert.equal([...known].toSorted(), ['0.9', '1.0', '1.1', '1.2', '1.3']);
    await driverWith({}).prepare('1.1', undefined, signal);
    const blue = await rest<{ spec: { template: { spec: { containers: { image: string }[] } } } }>(
      'GET',
      `${paths.apps}/deployments/orders-blue`,
    );
    assert.is(blue.spec.template.spec.containers[0]?.image, image('1.1'));
  }));

test('without a route the Service selects one side, both in proportion to their hosts, or the other', () =>
  withStandIn(async ({ driverWith, rest, paths }) => {
    const target = await driverWith({ route: undefined }).prepare('1.1', image('1.1'), signal);
    const selected = async () => (await rest<Service>('GET', `${paths.core}/services/orders`)).spec.selector;
    await target.force(true, signal);
    await target.scale('new', 1, signal);
    await reported(target, (report) => report.new.ready === 1 && report.old.ready === 3);
    await target.setWeights(25, signal);
    assert.equal(await selected(), { 'app.kubernetes.io/name': 'orders' });
    assert.is((await target.observe(signal)).toNew, 25);
    await target.scale('new', 3, signal);
    const { message: much } = await thrownBy(() => target.setWeights(10, signal));
    assert.match(much, 'Without a route, orders-green would get 50 percent of the requests instead of 10');
    await target.setWeights(100, signal);
    assert.is((await selected())?.['svc-runtime/slot'], 'green');
    assert.is((await target.observe(signal)).toNew, 100);
  }));
