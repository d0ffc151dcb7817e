import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Change, mustBeCurrent, ObjectStore, Refusal, type Stored } from './object-store.js';
import { schemaFaults } from './schemas.js';
import { mergePatch } from './merge-patch.js';

/** One request as it came in. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

interface ResourcePath {
  readonly collection: string;
  readonly name: string | undefined;
  readonly part: string | undefined;
  readonly rest: string;
}

/** A stand-in of the Kubernetes API: create, read, list, merge-patch, delete, watch, and a strict view of versions. */
export class StandInApiServer {
  readonly store = new ObjectStore();
  readonly received: Received[] = [];
  token = 'the-token-of-the-test';
  /** Other tokens, and what may be done with them. */
  readonly accounts = new Map<string, (request: Received) => boolean>();
  /** Answers before a request is looked at: to fail, to delay or to change something in between. */
  intercept: ((request: Received) => number | undefined | Promise<number | undefined>) | undefined;
  /** The metrics of a pod, or undefined where it cannot be reached. */
  metricsOf: (pod: string, search: string) => string | undefined = () => '';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => refuse(response, error));
    });
  }

  static async start(): Promise<StandInApiServer> {
    const server = new StandInApiServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams, search } = new URL(request.url ?? '', this.url);
    const method = request.method ?? '';
    const body = await bodyOf(request);
    const received = { method, path: pathname, body };
    this.#authorize(request.headers.authorization ?? '', received);
    this.received.push(received);
    const status = await this.intercept?.(received);
    if (status !== undefined) throw new Refusal(status, 'Injected', `injected ${status}`);
    const resource = resourceOf(pathname);
    if (resource.part === 'proxy') return this.#proxy(resource, search, response);
    if (method === 'GET' && searchParams.has('watch'))
      return this.#watch(resource.collection, Number(searchParams.get('resourceVersion') ?? 0), response);
    if (method === 'PATCH' && request.headers['content-type'] !== 'application/merge-patch+json')
      throw new Refusal(415, 'UnsupportedMediaType', 'only merge patches are supported');
    const [code, answer] = await this.#handle(method, resource, searchParams.get('labelSelector'), body);
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  #authorize(authorization: string, received: Received): void {
    if (authorization === `Bearer ${this.token}`) return;
    const mayDo = this.accounts.get(authorization.replace('Bearer ', ''));
    if (mayDo === undefined) throw new Refusal(401, 'Unauthorized', 'Unauthorized');
    if (!mayDo(received))
      throw new Refusal(403, 'Forbidden', `${received.method} ${received.path} is forbidden`);
  }

  async #handle(
    method: string,
    { collection, name, part }: ResourcePath,
    labels: string | null,
    body: unknown,
  ): Promise<[number, unknown]> {
    if (name === undefined) {
      if (method === 'POST') return [201, await this.store.create(collection, body as Stored)];
      if (method === 'GET') return [200, this.#list(collection, labels)];
    } else if (part === 'scale') {
      if (method === 'GET') return [200, scaleOf(this.store.get(collection, name))];
      if (method === 'PATCH') return [200, await this.#patchScale(collection, name, body as object)];
    } else if (method === 'GET') return [200, this.store.get(collection, name)];
    else if (method === 'DELETE') return [200, this.store.remove(collection, name)];
    else if (method === 'PATCH')
      return [
        200,
        await this.store.patch(collection, name, body as object, part === 'status' ? part : 'main'),
      ];
    throw new Refusal(405, 'MethodNotAllowed', 'the server does not allow this method on the resource');
  }

  #list(collection: string, labels: string | null): object {
    const wanted = (labels ?? '').split(',').filter((pair) => pair !== '');
    const items = this.store
      .list(collection)
      .filter(({ metadata }) =>
        wanted.every((pair) => metadata.labels?.[pair.split('=')[0] ?? ''] === pair.split('=')[1]),
      );
    return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: this.store.version }, items };
  }

  async #patchScale(collection: string, name: string, patch: object): Promise<object> {
    const deployment = this.store.get(collection, name);
    mustBeCurrent(deployment, patch);
    const scale = mergePatch(scaleOf(deployment), patch) as ReturnType<typeof scaleOf>;
    const faults = await schemaFaults(scale);
    if (faults.length > 0) throw new Refusal(422, 'Invalid', faults.join('; '));
    const { resourceVersion } = deployment.metadata;
    const written = { metadata: { resourceVersion }, spec: { replicas: scale.spec.replicas } };
    return scaleOf(await this.store.patch(collection, name, written, 'main'));
  }

  #watch(collection: string, since: number, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    const send = (change: Change): void => {
      if (change.collection === collection && Number(change.object.metadata.resourceVersion) > since)
        response.write(`${JSON.stringify({ type: change.type, object: change.object })}\n`);
    };
    for (const change of this.store.history) send(change);
    this.store.changed.on('change', send);
    response.on('close', () => this.store.changed.off('change', send));
    response.flushHeaders();
  }

  #proxy({ name = '', rest }: ResourcePath, search: string, response: ServerResponse): void {
    const text = rest === 'metrics' ? this.metricsOf(name.split(':')[0] ?? '', search) : undefined;
    if (text === undefined) throw new Refusal(503, 'ServiceUnavailable', 'error trying to reach service');
    response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
  }
}

const scaleOf = ({ metadata, spec }: Stored) => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: { name: metadata.name, resourceVersion: metadata.resourceVersion },
  spec: { replicas: spec?.['replicas'] },
});

/** `/apis/apps/v1/namespaces/shop/deployments/orders/scale` */
function resourceOf(path: string): ResourcePath {
  const found =
    /^(\/(?:api\/v1|apis\/[a-z0-9.-]+\/v\d+)\/namespaces\/[a-z0-9-]+\/[a-z]+)(?:\/([a-z0-9.:-]+)(?:\/([a-z]+)(?:\/(.*))?)?)?$/.exec(
      path,
    );
  if (found === null) throw new Refusal(404, 'NotFound', 'the server could not find the requested resource');
  const [, collection = '', name, part, rest = ''] = found;
  return { collection, name, part, rest };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown);
}

function refuse(response: ServerResponse, error: unknown): void {
  const { code, reason, message } =
    error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error));
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
}
