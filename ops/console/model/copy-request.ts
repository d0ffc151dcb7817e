/** An operation of the service, from its OpenAPI document. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly id: string;
  readonly summary: string;
  /** A valid body. */
  readonly example?: unknown;
}

interface CopiedRequest {
  readonly command: string;
  readonly correlationId: string;
  readonly status?: number | undefined;
  /** Its body, where it is kept whole. */
  readonly body?: string | undefined;
  /** The code of its problem. */
  readonly code?: string | undefined;
}

interface OpenApi {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

interface OpenApiOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly requestBody?: {
    readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
  };
}

export const operationsIn = ({ paths = {} }: OpenApi): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId = '', summary = '', requestBody }]) => ({
      path,
      method,
      id: operationId,
      summary,
      example: requestBody?.content?.['application/json']?.example,
    })),
  );

/** The operation of a command: its id is the name of the command, in camel case. */
export function operationOf(command: string, operations: readonly Operation[]): Operation | undefined {
  const id = command.slice(0, 1).toLowerCase() + command.slice(1);
  const [method = '', path = ''] = command.split(' ');
  return operations.find(
    (one) => one.id === id || (one.path === path && one.method === method.toLowerCase()),
  );
}

/** The request for a shell, with its body if that was kept, otherwise with an example of the API. */
export function asCurl(request: CopiedRequest, operation: Operation | undefined, origin: string): string {
  const [given = 'POST', path = '/'] = request.command.includes(' ') ? request.command.split(' ') : [];
  const method = operation?.method.toUpperCase() ?? (/^[A-Z]+$/.test(given) ? given : 'POST');
  const body = keptBody(request);
  const lines = [
    // Brackets and braces in a path would be ranges and lists of URLs.
    `curl -i -g -X ${method} ${quoted(`${origin}${operation?.path ?? path}`)}`,
    `-H ${quoted(`x-correlation-id: ${request.correlationId}`)}`,
  ];
  if (method !== 'GET') lines.push(`-H 'content-type: application/json'`);
  if (method !== 'GET') lines.push(`-d ${quoted(JSON.stringify(body ?? operation?.example ?? {}))}`);
  const isExample = method !== 'GET' && body === undefined;
  const note = isExample ? ['# The body is not recorded: replace this example by what was sent.'] : [];
  return [...note, lines.join(' \\\n  ')].join('\n');
}

/** The request as a test of its receptor. */
export function asTest(request: CopiedRequest, operation: Operation | undefined): string {
  const { command, code } = request;
  const fields = JSON.stringify(keptBody(request) ?? operation?.example ?? {}, null, 2).replaceAll(
    '\n',
    '\n    ',
  );
  const end = code === undefined ? 'outcome()' : `thenRefuses(${quotedText(code)})`;
  const rule = code === undefined ? `${command} is handled` : `${command} is refused with ${code}`;
  return [
    `import { given } from 'svc-runtime/testing';`,
    '',
    `test(${quotedText(rule)}, async () => {`,
    `  // Add the events that came before: given(receptor, [streamId, event, …]).`,
    `  await given(new ${command}Receptor())`,
    `    .when(${command}.of(${fields}))`,
    `    .${end};`,
    '});',
    '',
  ].join('\n');
}

/** The body that was kept; undefined also for one that was cut. */
function keptBody({ body }: CopiedRequest): unknown {
  try {
    return JSON.parse(body ?? '') as unknown;
  } catch {
    return undefined;
  }
}

/** A command of the service, not a route or an unknown path. */
export const isCommand = (command: string): boolean => /^[A-Za-z_$][\w$]*$/.test(command);

/** For a POSIX shell: nothing inside single quotes is special but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll(`'`, `'\\''`)}'`;

/** For TypeScript; a line ends a text. */
const quotedText = (text: string): string =>
  `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll(/[\n\r\u2028\u2029]/g, ' ')}'`;
