import { ts } from '../compiler.js';
import type { AgentModel } from '../model/service-model.js';
import { optionOf, textOf } from './literals.js';
import { readCommandAgent } from './read-agent.js';
import { readPermission } from './read-permission.js';
import type { Reading } from './reading.js';
import { symbolAt } from './symbols.js';

interface CommandOptions {
  readonly restRoute: string | null;
  readonly graphQLMutation: string | null;
  readonly requestType: ts.Symbol | null;
  readonly permission?: string | undefined;
  readonly agent?: AgentModel | undefined;
}

/** The literal argument of `@CommandEndpoint`. */
export function readOptions(
  call: ts.CallExpression,
  command: string,
  reading: Reading,
): CommandOptions | undefined {
  const [argument] = call.arguments;
  if (argument === undefined) return { restRoute: null, graphQLMutation: null, requestType: null };
  if (!ts.isObjectLiteralExpression(argument)) {
    reading.error('SVC1002', argument, 'write the options as an object literal: { restRoute: "/…" }');
    return undefined;
  }
  const before = reading.diagnostics.all.length;
  refuseUnknownOptions(argument, reading);
  const restRoute = textOption(argument, 'restRoute', reading);
  const graphQLMutation = textOption(argument, 'graphQLMutation', reading);
  const requestType = requestOption(argument, reading);
  const rule = optionOf(argument, 'permission');
  const permission = rule && readPermission(rule, reading);
  const agent = readCommandAgent(optionOf(argument, 'agent'), reading);
  if (reading.diagnostics.all.length > before) return undefined;
  if (restRoute === null && graphQLMutation === null && requestType !== null) {
    const why = `${command} has a requestType but no endpoint; give it a restRoute or a graphQLMutation`;
    reading.error('SVC1013', argument, why);
    return undefined;
  }
  if (restRoute !== null && !routePattern.test(restRoute)) {
    const why = `the route '${restRoute}' must start with '/' and contain only letters, digits and - . _ ~ /`;
    reading.error('SVC1005', argument, why);
  }
  if (restRoute !== null && hostRoutes.test(restRoute)) {
    reading.error('SVC1005', argument, `the host itself serves '${restRoute}'; choose another route`);
  }
  if (graphQLMutation !== null && !namePattern.test(graphQLMutation)) {
    const why = `'${graphQLMutation}' is not a GraphQL name; use letters, digits and _`;
    reading.error('SVC1023', argument, why);
  }
  return { restRoute, graphQLMutation, requestType, permission, agent };
}

const routePattern = /^\/[A-Za-z0-9\-._~/]*$/;
/** Routes that a host serves itself. */
export const hostRoutes =
  /^\/(?:graphql|openapi\.json|docs|health|metrics|console|inspect|machines|mcp|\.well-known\/oauth-protected-resource)(?:\/|$)/;
const namePattern = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;

const known = ['restRoute', 'graphQLMutation', 'requestType', 'permission', 'agent'];

/** A misspelled option would silently leave a command without its endpoint. */
function refuseUnknownOptions(argument: ts.ObjectLiteralExpression, reading: Reading): void {
  for (const property of argument.properties) {
    const name = property.name?.getText();
    if (name === undefined || ts.isComputedPropertyName(property.name ?? argument)) {
      reading.error('SVC1002', property, `write out each option: ${known.join(', ')}`);
      continue;
    }
    if (known.includes(name)) continue;
    const meant = known.find((option) => option.toLowerCase() === name.toLowerCase());
    const hint = meant === undefined ? `use ${known.join(', ')}` : `did you mean ${meant}?`;
    reading.error('SVC1031', property, `@CommandEndpoint has no option '${name}'; ${hint}`);
  }
}

function textOption(argument: ts.ObjectLiteralExpression, name: string, reading: Reading): string | null {
  const value = optionOf(argument, name);
  if (value === undefined || value.kind === ts.SyntaxKind.NullKeyword) return null;
  const text = textOf(value, reading.checker);
  if (text !== undefined) return text;
  reading.error('SVC1002', value, `${name} must be a string literal, a const with one, or null`);
  return null;
}

function requestOption(argument: ts.ObjectLiteralExpression, reading: Reading): ts.Symbol | null {
  const value = optionOf(argument, 'requestType');
  if (value === undefined || value.kind === ts.SyntaxKind.NullKeyword) return null;
  const symbol = symbolAt(value, reading.checker);
  if (symbol?.declarations?.some(ts.isClassDeclaration) === true) return symbol;
  reading.error('SVC1003', value, 'requestType must be a class');
  return null;
}
