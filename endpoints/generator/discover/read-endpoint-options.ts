import { type SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { AgentModel } from '../model/service-model.js';
import { readCommandAgent } from './read-agent.js';
import { readPermission } from './read-permission.js';
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
  tree: SourceTree,
  diagnostics: Diagnostics,
): CommandOptions | undefined {
  const [argument] = call.arguments;
  if (argument === undefined) return { restRoute: null, graphQLMutation: null, requestType: null };
  if (!ts.isObjectLiteralExpression(argument)) {
    diagnostics.error('SVC1002', argument, 'write the options as an object literal: { restRoute: "/…" }');
    return undefined;
  }
  const before = diagnostics.all.length;
  refuseUnknownOptions(argument, diagnostics);
  const restRoute = textOption(argument, 'restRoute', tree, diagnostics);
  const graphQLMutation = textOption(argument, 'graphQLMutation', tree, diagnostics);
  const requestType = requestOption(argument, tree, diagnostics);
  const permission = permissionOption(argument, tree, diagnostics);
  const agent = readCommandAgent(optionOf(argument, 'agent'), tree, diagnostics);
  if (diagnostics.all.length > before) return undefined;
  if (restRoute === null && graphQLMutation === null && requestType !== null) {
    diagnostics.error(
      'SVC1013',
      argument,
      `${command} has a requestType but no endpoint; give it a restRoute or a graphQLMutation`,
    );
    return undefined;
  }
  if (restRoute !== null && !routePattern.test(restRoute)) {
    diagnostics.error(
      'SVC1005',
      argument,
      `the route '${restRoute}' must start with '/' and contain only letters, digits and - . _ ~ /`,
    );
  }
  if (restRoute !== null && hostRoutes.test(restRoute)) {
    diagnostics.error('SVC1005', argument, `the host itself serves '${restRoute}'; choose another route`);
  }
  if (graphQLMutation !== null && !namePattern.test(graphQLMutation)) {
    diagnostics.error(
      'SVC1023',
      argument,
      `'${graphQLMutation}' is not a GraphQL name; use letters, digits and _`,
    );
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
function refuseUnknownOptions(argument: ts.ObjectLiteralExpression, diagnostics: Diagnostics): void {
  for (const property of argument.properties) {
    const name = property.name?.getText();
    if (name === undefined || ts.isComputedPropertyName(property.name ?? argument)) {
      diagnostics.error('SVC1002', property, `write out each option: ${known.join(', ')}`);
      continue;
    }
    if (known.includes(name)) continue;
    const meant = known.find((option) => option.toLowerCase() === name.toLowerCase());
    const hint = meant === undefined ? `use ${known.join(', ')}` : `did you mean ${meant}?`;
    diagnostics.error('SVC1031', property, `@CommandEndpoint has no option '${name}'; ${hint}`);
  }
}

function textOption(
  argument: ts.ObjectLiteralExpression,
  name: string,
  tree: SourceTree,
  diagnostics: Diagnostics,
): string | null {
  const value = optionOf(argument, name);
  if (value === undefined || value.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isStringLiteralLike(value)) return value.text;
  const type = tree.checker.getTypeAtLocation(value);
  if (type.isStringLiteral()) return type.value;
  diagnostics.error('SVC1002', value, `${name} must be a string literal, a const with one, or null`);
  return null;
}

function requestOption(
  argument: ts.ObjectLiteralExpression,
  tree: SourceTree,
  diagnostics: Diagnostics,
): ts.Symbol | null {
  const value = optionOf(argument, 'requestType');
  if (value === undefined || value.kind === ts.SyntaxKind.NullKeyword) return null;
  const symbol = symbolAt(value, tree.checker);
  if (symbol?.declarations?.some(ts.isClassDeclaration) === true) return symbol;
  diagnostics.error('SVC1003', value, 'requestType must be a class');
  return null;
}

function permissionOption(
  argument: ts.ObjectLiteralExpression,
  tree: SourceTree,
  diagnostics: Diagnostics,
): string | undefined {
  const value = optionOf(argument, 'permission');
  return value === undefined ? undefined : readPermission(value, tree, diagnostics);
}

export function optionOf(argument: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of argument.properties) {
    if (property.name === undefined || !ts.isIdentifier(property.name) || property.name.text !== name)
      continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
  }
  return undefined;
}
