import type { OwnRouteModel, ServiceModel } from '../model/service-model.js';
import { type TypeNames, typeText } from '../model/type-text.js';
import { docComment } from './source-text.js';

/** What a client has for the routes that `ownRoute` declares. */
export const clientOwnRoutes = ({ routes, types }: ServiceModel, names: TypeNames) => ({
  support: routes.length === 0 ? '' : support,
  methods: routes.map((route) => method(route, types, names)),
});

function method(
  { name, method: verb, path, request, result, ...route }: OwnRouteModel,
  types: ServiceModel['types'],
  names: TypeNames,
): string {
  const answer = result === null ? 'void' : typeText(result, types, names);
  return `
${docComment(route, '  ')}  ${name}(${request === null ? '' : `request: ${request}, `}options?: CallOptions): Promise<${answer}> {
    return callRoute<${answer}>(this.#call, '${verb}', ${JSON.stringify(path)}, ${request === null ? '{}' : 'request'}, options);
  }
`;
}

const support = `
/** Fields named in the path are sent there, the others in the query of a GET or DELETE, else in the body. */
async function callRoute<T>(call: Call, method: string, path: string, request: object, options: CallOptions = {}): Promise<T> {
  const rest = new Map<string, unknown>(Object.entries(request).filter(([, value]) => value !== undefined));
  const url = path.replace(/:(\\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const inQuery = method === 'GET' || method === 'DELETE';
  const query = new URLSearchParams([...rest].map(([name, value]): [string, string] => [name, String(value)])).toString();
  const route = inQuery && query !== '' ? \`\${url}?\${query}\` : url;
  const body = inQuery || rest.size === 0 ? undefined : Object.fromEntries(rest);
  const text = await (await call.request(method, route, options, body)).text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
`;
